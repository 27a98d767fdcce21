;; Finds the structure of JSON, 64 bytes at a time. Per block it leaves five words of 64 bits, one bit per byte:
;; tokens (quotes that begin or end a string, and brackets and commas outside of strings), brackets that open, brackets
;; that close, backslashes, and backslashes with all quotes that `ap` follows. The bytes begin at 0 and are filled up with
;; spaces to a whole block.
(module
  (memory (export "memory") 2)

  ;; $carry: 1 when the bytes begin within a string, 2 when the first one is escaped. Gives the same for the byte after
  ;; the last one, and 4 when there is any backslash.
  (func (export "scan") (param $length i32) (param $words i32) (param $carry i32) (result i32)
    (local $at i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $quote v128) (local $backslash v128) (local $comma v128) (local $space v128) (local $open v128) (local $close v128)
    (local $a1 v128) (local $p2 v128)
    (local $quotes i64) (local $slashes i64) (local $commas i64) (local $opens i64) (local $closes i64)
    (local $escaped i64) (local $isEscaped i64) (local $isString i64) (local $inside i64) (local $rest i64) (local $bit i64)
    (local $any i64) (local $names i64)
    i32.const 34 i8x16.splat local.set $quote
    i32.const 92 i8x16.splat local.set $backslash
    i32.const 44 i8x16.splat local.set $comma
    i32.const 32 i8x16.splat local.set $space
    i32.const 123 i8x16.splat local.set $open
    i32.const 125 i8x16.splat local.set $close
    i32.const 97 i8x16.splat local.set $a1
    i32.const 112 i8x16.splat local.set $p2
    ;; All ones within a string.
    i64.const 0 local.get $carry i32.const 1 i32.and i64.extend_i32_u i64.sub local.set $isString
    local.get $carry i32.const 1 i32.shr_u i32.const 1 i32.and i64.extend_i32_u local.set $isEscaped
    block $done
      loop $blocks
        local.get $at local.get $length i32.ge_u br_if $done
        local.get $at v128.load local.set $a
        local.get $at v128.load offset=16 local.set $b
        local.get $at v128.load offset=32 local.set $c
        local.get $at v128.load offset=48 local.set $d

        local.get $a local.get $quote i8x16.eq i8x16.bitmask
        local.get $b local.get $quote i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        local.get $c local.get $quote i8x16.eq i8x16.bitmask
        local.get $d local.get $quote i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        i64.const 32 i64.shl i64.or local.set $quotes

        local.get $a local.get $backslash i8x16.eq i8x16.bitmask
        local.get $b local.get $backslash i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        local.get $c local.get $backslash i8x16.eq i8x16.bitmask
        local.get $d local.get $backslash i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        i64.const 32 i64.shl i64.or local.set $slashes

        local.get $a local.get $comma i8x16.eq i8x16.bitmask
        local.get $b local.get $comma i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        local.get $c local.get $comma i8x16.eq i8x16.bitmask
        local.get $d local.get $comma i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        i64.const 32 i64.shl i64.or local.set $commas

        ;; What is read beyond the bytes can only make a quote one of these that is none.
        local.get $at v128.load offset=1 local.get $a1 i8x16.eq i8x16.bitmask
        local.get $at v128.load offset=17 local.get $a1 i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        local.get $at v128.load offset=33 local.get $a1 i8x16.eq i8x16.bitmask
        local.get $at v128.load offset=49 local.get $a1 i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        i64.const 32 i64.shl i64.or
        local.get $quotes i64.and local.set $names
        local.get $at v128.load offset=2 local.get $p2 i8x16.eq i8x16.bitmask
        local.get $at v128.load offset=18 local.get $p2 i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        local.get $at v128.load offset=34 local.get $p2 i8x16.eq i8x16.bitmask
        local.get $at v128.load offset=50 local.get $p2 i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        i64.const 32 i64.shl i64.or
        local.get $names i64.and local.set $names

        ;; With bit 0x20 set a square bracket is a curly one.
        local.get $a local.get $space v128.or local.set $a
        local.get $b local.get $space v128.or local.set $b
        local.get $c local.get $space v128.or local.set $c
        local.get $d local.get $space v128.or local.set $d

        local.get $a local.get $open i8x16.eq i8x16.bitmask
        local.get $b local.get $open i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        local.get $c local.get $open i8x16.eq i8x16.bitmask
        local.get $d local.get $open i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        i64.const 32 i64.shl i64.or local.set $opens

        local.get $a local.get $close i8x16.eq i8x16.bitmask
        local.get $b local.get $close i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        local.get $c local.get $close i8x16.eq i8x16.bitmask
        local.get $d local.get $close i8x16.eq i8x16.bitmask i32.const 16 i32.shl i32.or i64.extend_i32_u
        i64.const 32 i64.shl i64.or local.set $closes

        ;; Each backslash that is not escaped itself escapes the byte after it.
        local.get $isEscaped local.set $escaped
        i64.const 0 local.set $isEscaped
        local.get $slashes local.get $escaped i64.const -1 i64.xor i64.and local.set $rest
        local.get $any local.get $slashes i64.or local.set $any
        block $unescaped
          loop $escapes
            local.get $rest i64.eqz br_if $unescaped
            local.get $rest i64.ctz local.set $bit
            local.get $bit i64.const 63 i64.eq
            if
              i64.const 1 local.set $isEscaped
              br $unescaped
            end
            local.get $escaped i64.const 2 local.get $bit i64.shl i64.or local.set $escaped
            local.get $rest i64.const 3 local.get $bit i64.shl i64.const -1 i64.xor i64.and local.set $rest
            br $escapes
          end
        end

        ;; A backslash outside of strings is no JSON and escapes nothing that matters.
        local.get $quotes local.get $escaped i64.const -1 i64.xor i64.and local.tee $quotes
        local.set $inside
        local.get $inside local.get $inside i64.const 1 i64.shl i64.xor local.set $inside
        local.get $inside local.get $inside i64.const 2 i64.shl i64.xor local.set $inside
        local.get $inside local.get $inside i64.const 4 i64.shl i64.xor local.set $inside
        local.get $inside local.get $inside i64.const 8 i64.shl i64.xor local.set $inside
        local.get $inside local.get $inside i64.const 16 i64.shl i64.xor local.set $inside
        local.get $inside local.get $inside i64.const 32 i64.shl i64.xor
        local.get $isString i64.xor local.tee $inside
        i64.const 63 i64.shr_s local.set $isString

        local.get $inside i64.const -1 i64.xor local.set $rest
        local.get $opens local.get $rest i64.and local.set $opens
        local.get $closes local.get $rest i64.and local.set $closes
        local.get $words
        local.get $commas local.get $rest i64.and local.get $opens i64.or local.get $closes i64.or local.get $quotes i64.or
        i64.store
        local.get $words local.get $opens i64.store offset=8
        local.get $words local.get $closes i64.store offset=16
        local.get $words local.get $slashes i64.store offset=24
        local.get $words local.get $slashes local.get $names i64.or i64.store offset=32
        local.get $words i32.const 40 i32.add local.set $words
        local.get $at i32.const 64 i32.add local.set $at
        br $blocks
      end
    end
    ;; In a block that was filled up, what the last byte escapes is the first of the filling.
    local.get $length i32.const 63 i32.and
    if
      local.get $escaped local.get $length i32.const 63 i32.and i64.extend_i32_u i64.shr_u i64.const 1 i64.and local.set $isEscaped
    end
    local.get $isString i64.const 1 i64.and i32.wrap_i64
    local.get $isEscaped i32.wrap_i64 i32.const 1 i32.shl i32.or
    local.get $any i64.eqz if (result i32) i32.const 0 else i32.const 4 end
    i32.or)

  ;; The byte after the bracket that closes the last of $depth containers; minus depth minus one when it is not there.
  (func (export "skip") (param $at i32) (param $length i32) (param $words i32) (param $depth i32) (result i32)
    (local $opens i64) (local $closes i64) (local $both i64) (local $word i32) (local $count i32)
    block $done
      loop $blocks
        local.get $at local.get $length i32.ge_u br_if $done
        local.get $words local.get $at i32.const 6 i32.shr_u i32.const 40 i32.mul i32.add local.set $word
        i64.const -1 local.get $at i64.extend_i32_u i64.const 63 i64.and i64.shl local.set $both
        local.get $word i64.load offset=8 local.get $both i64.and local.set $opens
        local.get $word i64.load offset=16 local.get $both i64.and local.set $closes
        local.get $closes i64.popcnt i32.wrap_i64 local.tee $count
        local.get $depth i32.lt_s
        if
          local.get $depth local.get $count i32.sub local.get $opens i64.popcnt i32.wrap_i64 i32.add local.set $depth
        else
          local.get $opens local.get $closes i64.or local.set $both
          block $ended
            loop $bits
              local.get $both i64.eqz br_if $ended
              local.get $closes local.get $both i64.ctz i64.shr_u i64.const 1 i64.and i64.eqz
              if
                local.get $depth i32.const 1 i32.add local.set $depth
              else
                local.get $depth i32.const 1 i32.sub local.tee $depth i32.eqz
                if
                  local.get $at i32.const -64 i32.and local.get $both i64.ctz i32.wrap_i64 i32.add i32.const 1 i32.add
                  return
                end
              end
              local.get $both local.get $both i64.const 1 i64.sub i64.and local.set $both
              br $bits
            end
          end
        end
        local.get $at i32.const -64 i32.and i32.const 64 i32.add local.set $at
        br $blocks
      end
    end
    i32.const -1 local.get $depth i32.sub)
)
