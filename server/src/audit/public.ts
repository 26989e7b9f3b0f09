export { type AuditLine, insertAuditLines as recordAudit } from './audit.sql.ts'
