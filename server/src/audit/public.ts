export { insertAuditLines as recordAudit } from './audit.sql.ts'
