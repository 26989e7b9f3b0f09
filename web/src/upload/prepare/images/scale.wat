;; The two inner filters of resample.ts, which take nearly all of its time. A pixel is four bytes; each SIMD lane is a channel.
;; Weights are 16-bit fixed-point numbers that sum to 1 << 14 for each pixel; adding 8192, half of that, rounds.
(module
  (memory (export "memory") 1)

  ;; One row of the target from $taps rows of the source that lie $stride bytes apart, four pixels at a time.
  (func (export "filterRows")
    (param $source i32) (param $stride i32) (param $weights i32) (param $taps i32) (param $target i32) (param $end i32)
    (local $at i32) (local $next i32) (local $last i32)
    (local $pixels v128) (local $two v128) (local $weight v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $last (i32.add (local.get $weights) (i32.shl (local.get $taps) (i32.const 1))))
    (loop $pixel
      (local.set $at (local.get $source))
      (local.set $next (local.get $weights))
      (local.set $a (local.tee $b (local.tee $c (local.tee $d (v128.const i32x4 8192 8192 8192 8192)))))
      (loop $tap
        (local.set $pixels (v128.load (local.get $at)))
        (local.set $weight (v128.load16_splat (local.get $next)))
        (local.set $two (i16x8.extend_low_i8x16_u (local.get $pixels)))
        (local.set $a (i32x4.add (local.get $a) (i32x4.extmul_low_i16x8_s (local.get $two) (local.get $weight))))
        (local.set $b (i32x4.add (local.get $b) (i32x4.extmul_high_i16x8_s (local.get $two) (local.get $weight))))
        (local.set $two (i16x8.extend_high_i8x16_u (local.get $pixels)))
        (local.set $c (i32x4.add (local.get $c) (i32x4.extmul_low_i16x8_s (local.get $two) (local.get $weight))))
        (local.set $d (i32x4.add (local.get $d) (i32x4.extmul_high_i16x8_s (local.get $two) (local.get $weight))))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (br_if $tap (i32.lt_u (local.tee $next (i32.add (local.get $next) (i32.const 2))) (local.get $last))))
      ;; Narrowing keeps every channel within a byte.
      (v128.store (local.get $target)
        (i8x16.narrow_i16x8_u
          (i16x8.narrow_i32x4_s (i32x4.shr_s (local.get $a) (i32.const 14)) (i32x4.shr_s (local.get $b) (i32.const 14)))
          (i16x8.narrow_i32x4_s (i32x4.shr_s (local.get $c) (i32.const 14)) (i32x4.shr_s (local.get $d) (i32.const 14)))))
      (local.set $source (i32.add (local.get $source) (i32.const 16)))
      (br_if $pixel (i32.lt_u (local.tee $target (i32.add (local.get $target) (i32.const 16))) (local.get $end)))))

  ;; Each pixel of the target from $taps pixels of the row, which begin where $starts says (in bytes). $taps is even: two are
  ;; weighed at once, and their weights are written four times each, once for every channel.
  (func (export "filterAlongRow")
    (param $row i32) (param $starts i32) (param $weights i32) (param $taps i32) (param $target i32) (param $end i32)
    (local $at i32) (local $last i32) (local $two v128) (local $weight v128) (local $even v128) (local $odd v128)
    (loop $pixel
      (local.set $at (i32.add (local.get $row) (i32.load (local.get $starts))))
      (local.set $last (i32.add (local.get $at) (i32.shl (local.get $taps) (i32.const 2))))
      (local.set $even (v128.const i32x4 8192 8192 8192 8192))
      (local.set $odd (v128.const i32x4 0 0 0 0))
      (loop $tap
        (local.set $two (v128.load8x8_u (local.get $at)))
        (local.set $weight (v128.load (local.get $weights)))
        (local.set $even (i32x4.add (local.get $even) (i32x4.extmul_low_i16x8_s (local.get $two) (local.get $weight))))
        (local.set $odd (i32x4.add (local.get $odd) (i32x4.extmul_high_i16x8_s (local.get $two) (local.get $weight))))
        (local.set $weights (i32.add (local.get $weights) (i32.const 16)))
        (br_if $tap (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $last))))
      (local.set $even (i32x4.shr_s (i32x4.add (local.get $even) (local.get $odd)) (i32.const 14)))
      (local.set $even (i16x8.narrow_i32x4_s (local.get $even) (local.get $even)))
      (i32.store (local.get $target)
        (i32x4.extract_lane 0 (i8x16.narrow_i16x8_u (local.get $even) (local.get $even))))
      (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
      (br_if $pixel (i32.lt_u (local.tee $target (i32.add (local.get $target) (i32.const 4))) (local.get $end))))))
