#include "go_asm.h"
#include "textflag.h"

// func prepareVectors(b *batch, runs *run, n int) (count, large int)
TEXT ·prepareVectors(SB), NOSPLIT, $0-40
	MOVQ b+0(FP), AX
	MOVQ runs+8(FP), R8
	MOVQ n+16(FP), R9
	LEAQ batch_numbers(AX), SI
	LEAQ (SI)(R9*4), R9         // end of the numbers
	LEAQ batch_records(AX), DI
	LEAQ batch_large(AX), R11
	XORL R10, R10               // record

triangle:
	MOVLQSX (SI), BX
	ADDQ    $4, SI
	MOVQ    batch_triangles(AX), CX
	MOVQ    batch_points(AX), DX
	LEAQ    (BX)(BX*2), BX
	LEAQ    (CX)(BX*4), CX
	MOVLQSX 0(CX), R12
	MOVLQSX 4(CX), R13
	MOVLQSX 8(CX), R14
	SHLQ    $4, R12
	SHLQ    $4, R13
	SHLQ    $4, R14
	VMOVDQU (DX)(R12*1), X0     // corners p, q, r
	VMOVDQU (DX)(R13*1), X1
	VMOVDQU (DX)(R14*1), X2
	VPSUBD  X1, X2, X5          // the sides opposite to them
	VPSUBD  X2, X0, X6
	VPSUBD  X0, X1, X7

	VPSHUFD $0x10, X7, X8       // twice the area
	VPSHUFD $0x01, X6, X9
	VPMULDQ X9, X8, X8
	VPSRLDQ $8, X8, X9
	VPSUBQ  X9, X8, X8
	VMOVQ   X8, BX

	VPMINSD   X1, X0, X3        // the box
	VPMAXSD   X1, X0, X4
	VPMINSD   X2, X3, X3
	VPMAXSD   X2, X4, X4
	VMOVDQU   batch_lo(AX), X10
	VMOVDQU   batch_hi(AX), X11
	VPCMPGTD  X4, X10, X12
	VPCMPGTD  X11, X3, X13
	VPOR      X12, X13, X12
	VMOVMSKPS X12, CX
	TESTQ     BX, BX
	JLE       next
	TESTL     $3, CX
	JNZ       next

	VMOVDQU    X0, occluder_p(DI)
	VMOVDQU    X1, occluder_q(DI)
	VMOVDQU    X2, occluder_r(DI)
	VCVTSI2SDQ BX, X12, X12
	VMOVSD     X12, occluder_area(DI)
	VCVTDQ2PS  X5, X5
	VCVTDQ2PS  X6, X6
	VCVTDQ2PS  X7, X7
	VMOVLPS    X5, occluder_sides+0(DI)
	VMOVLPS    X6, occluder_sides+8(DI)
	VMOVLPS    X7, occluder_sides+16(DI)
	VPSUBD     X3, X4, X13
	VCVTDQ2PS  X13, X13
	VADDPS     batch_longest(AX), X13, X13
	VMOVSHDUP  X13, X14
	VMULSS     X14, X13, X13
	VMULSS     batch_share(AX), X13, X13
	VCVTSD2SS  X12, X12, X12
	VADDSS     X13, X12, X12
	VMOVSS     X12, occluder_at+0(DI)
	VMOVSS     X13, occluder_at+4(DI)
	VPEXTRD    $2, X4, occluder_top(DI)

	VPMAXSD  X10, X3, X3        // cells
	VPMINSD  X11, X4, X4
	VPSUBD   X10, X3, X3
	VPSUBD   X10, X4, X4
	VPSHUFD  $0x10, X3, X3
	VPSHUFD  $0x10, X4, X4
	VMOVDQU  batch_per(AX), X12
	VPMULUDQ X12, X3, X3
	VPMULUDQ X12, X4, X4
	VSHUFPS  $0xdd, X4, X3, X3
	VMOVQ    X3, BX
	VPEXTRQ  $1, X3, CX
	MOVL     BX, R12
	MOVL     CX, R13
	SHRQ     $32, BX
	SHRQ     $32, CX
	MOVQ     batch_columns(AX), DX
	MOVWLZX  (DX)(R12*2), R12   // first column
	MOVWLZX  (DX)(R13*2), R13   // last column
	MOVQ     batch_rows(AX), DX
	MOVWLZX  (DX)(BX*2), BX     // first row
	MOVWLZX  (DX)(CX*2), CX     // last row
	SUBL     BX, CX
	MOVL     R13, DX
	SUBL     R12, DX
	CMPL     CX, $const_smallRows
	JGE      cut
	CMPL     DX, $const_smallColumns
	JGE      cut
	LEAL     1(DX)(DX*1), DX
	BSRL     DX, DX             // which window holds the columns
	IMULQ    batch_stride(AX), DX
	MOVQ     batch_width(AX), R14
	IMULQ    R14, BX
	ADDQ     BX, DX
	ADDQ     batch_low(AX), DX
	LEAQ     (DX)(R12*4), DX    // the lowest sample of a row
	ADDQ     batch_start(AX), BX
	LEAQ     (BX)(R12*4), R12   // its first cell
	LEAQ     4(BX)(R13*4), R13  // the cell after its last

row:
	MOVL  (R12), BX
	MOVL  BX, run_lo(R8)
	MOVL  (R13), BX
	MOVL  BX, run_hi(R8)
	MOVL  R10, run_record(R8)
	XORL  R15, R15
	MOVL  (DX), BX
	CMPL  BX, occluder_top(DI)  // a run without a sample below is written over
	SETLT R15
	LEAQ  (R15)(R15*2), R15
	LEAQ  (R8)(R15*4), R8
	ADDQ  R14, DX
	ADDQ  R14, R12
	ADDQ  R14, R13
	DECL  CX
	JGE   row

taken:
	ADDQ $occluder__size, DI
	INCL R10

next:
	CMPQ SI, R9
	JNE  triangle

	SUBQ runs+8(FP), R8
	MOVQ R8, AX
	XORL DX, DX
	MOVL $run__size, CX
	DIVQ CX
	MOVQ AX, count+24(FP)
	MOVQ b+0(FP), AX
	LEAQ batch_large(AX), CX
	SUBQ CX, R11
	SHRQ $2, R11
	MOVQ R11, large+32(FP)
	RET

cut:
	MOVL R10, (R11)
	ADDQ $4, R11
	JMP  taken

// func testVectors(b *batch, runs *run, n int, hits *hit) (done, count int)
TEXT ·testVectors(SB), NOSPLIT, $0-48
	MOVQ b+0(FP), AX
	MOVQ runs+8(FP), R8
	MOVQ n+16(FP), R9
	MOVQ batch_x(AX), SI
	MOVQ batch_y(AX), DI
	MOVQ batch_z(AX), DX
	MOVQ hits+24(FP), R11
	LEAQ (const_manyHits*8)(R11), R12

run:
	MOVLQSX      run_lo(R8), CX
	MOVLQSX      run_hi(R8), R10
	MOVLQSX      run_record(R8), R13
	IMUL3Q       $occluder__size, R13, BX
	LEAQ         batch_records(AX)(BX*1), BX
	SHLQ         $32, R13
	VBROADCASTSS occluder_sides+0(BX), Y3  // along x
	VBROADCASTSS occluder_sides+4(BX), Y0  // along y
	VBROADCASTSS occluder_sides+8(BX), Y4
	VBROADCASTSS occluder_sides+12(BX), Y1
	VBROADCASTSS occluder_sides+16(BX), Y5
	VBROADCASTSS occluder_sides+20(BX), Y2
	VBROADCASTSS occluder_at+0(BX), Y6
	VBROADCASTSS occluder_at+4(BX), Y7
	VPBROADCASTD occluder_top(BX), Y9
	VPBROADCASTD occluder_p+0(BX), Y10
	VPBROADCASTD occluder_p+4(BX), Y11

eight:
	VMOVDQU      (SI)(CX*4), Y12
	VMOVDQU      (DI)(CX*4), Y13
	VPSUBD       Y10, Y12, Y12
	VPSUBD       Y11, Y13, Y13
	VCVTDQ2PS    Y12, Y12
	VCVTDQ2PS    Y13, Y13
	VMOVAPS      Y6, Y14
	VMOVAPS      Y7, Y15
	VMOVAPS      Y7, Y8
	VFMADD231PS  Y12, Y0, Y14
	VFMADD231PS  Y12, Y1, Y15
	VFMADD231PS  Y12, Y2, Y8
	VFNMADD231PS Y13, Y3, Y14
	VFNMADD231PS Y13, Y4, Y15
	VFNMADD231PS Y13, Y5, Y8
	VORPS        Y14, Y15, Y15        // the sign bit is set outside
	VORPS        Y8, Y15, Y15
	VPCMPGTD     (DX)(CX*4), Y9, Y14  // below the top
	VANDNPS      Y14, Y15, Y15
	VMOVMSKPS    Y15, R14
	LEAQ         (CX)(R13*1), BX
	MOVQ         BX, (R11)
	CMPL         R14, $1              // a hit without a sample is written over
	SBBQ         BX, BX
	LEAQ         8(R11)(BX*8), R11
	ADDQ         $const_lanes, CX
	CMPQ         R11, R12
	JEQ          full
	CMPQ         CX, R10
	JLT          eight
	ADDQ         $run__size, R8
	DECQ         R9
	JNZ          run

end:
	MOVQ n+16(FP), BX
	SUBQ R9, BX
	MOVQ BX, done+32(FP)
	SUBQ hits+24(FP), R11
	SHRQ $3, R11
	MOVQ R11, count+40(FP)
	VZEROUPPER
	RET

full:
	MOVL CX, run_lo(R8)
	CMPQ CX, R10
	JLT  end
	DECQ R9
	JMP  end

// HALF settles four of the eight samples of a hit, those from off bytes on.
#define HALF(off) \
	VMOVDQU      off(SI)(CX*4), X14     \
	VMOVDQU      off(DI)(CX*4), X15     \
	VPSUBD       X9, X14, X14           \
	VPSUBD       X10, X15, X15          \
	VCVTDQ2PD    X14, Y14               \
	VCVTDQ2PD    X15, Y15               \
	VBROADCASTSD occluder_area(BX), Y11 \
	VXORPD       Y12, Y12, Y12          \
	VXORPD       Y13, Y13, Y13          \
	VFMADD231PD  Y14, Y3, Y11           \
	VFMADD231PD  Y14, Y4, Y12           \
	VFMADD231PD  Y14, Y5, Y13           \
	VFNMADD231PD Y15, Y0, Y11           \
	VFNMADD231PD Y15, Y1, Y12           \
	VFNMADD231PD Y15, Y2, Y13           \
	VORPD        Y11, Y12, Y14          \
	VORPD        Y13, Y14, Y14          \
	VMULPD       Y6, Y11, Y11           \
	VMULPD       Y7, Y12, Y12           \
	VMULPD       Y8, Y13, Y13           \
	VADDPD       Y12, Y11, Y11          \
	VADDPD       Y13, Y11, Y11          \
	VMOVDQU      off(DX)(CX*4), X13     \
	VCVTDQ2PD    X13, Y12               \
	VBROADCASTSD occluder_area(BX), Y15 \
	VMULPD       Y15, Y12, Y12          \
	VCMPPD       $0x1e, Y12, Y11, Y11   \
	VANDNPD      Y11, Y14, Y11          \
	VEXTRACTF128 $1, Y11, X12           \
	VSHUFPS      $0xdd, X12, X11, X11   \
	VPCMPEQD     X12, X12, X12          \
	VPSRLD       $1, X12, X12           \
	VBLENDVPS    X11, X12, X13, X13     \
	VMOVDQU      X13, off(DX)(CX*4)

// func settleVectors(b *batch, hits *hit, n int)
TEXT ·settleVectors(SB), NOSPLIT, $0-24
	MOVQ  b+0(FP), AX
	MOVQ  hits+8(FP), R8
	MOVQ  n+16(FP), R9
	TESTQ R9, R9
	JZ    none
	MOVQ  batch_x(AX), SI
	MOVQ  batch_y(AX), DI
	MOVQ  batch_z(AX), DX

hit:
	MOVLQSX      0(R8), CX
	MOVLQSX      4(R8), BX
	IMULQ        $occluder__size, BX
	LEAQ         batch_records(AX)(BX*1), BX
	VMOVDQU      occluder_p(BX), X0
	VMOVDQU      occluder_q(BX), X1
	VMOVDQU      occluder_r(BX), X2
	VPBROADCASTD X0, X9
	VPBROADCASTD occluder_p+4(BX), X10
	VPSUBD       X1, X2, X3
	VPSUBD       X2, X0, X4
	VPSUBD       X0, X1, X5
	VCVTDQ2PD    X3, X3
	VCVTDQ2PD    X4, X4
	VCVTDQ2PD    X5, X5
	VXORPD       X15, X15, X15
	VCVTSI2SDL   occluder_p+8(BX), X15, X6
	VCVTSI2SDL   occluder_q+8(BX), X15, X7
	VCVTSI2SDL   occluder_r+8(BX), X15, X8
	VBROADCASTSD X3, Y0 // along x
	VBROADCASTSD X4, Y1
	VBROADCASTSD X5, Y2
	VPERMPD      $0x55, Y3, Y3 // along y
	VPERMPD      $0x55, Y4, Y4
	VPERMPD      $0x55, Y5, Y5
	VBROADCASTSD X6, Y6 // z of the corners
	VBROADCASTSD X7, Y7
	VBROADCASTSD X8, Y8
	HALF(0)
	HALF(16)
	ADDQ         $8, R8
	DECQ         R9
	JNZ          hit
	VZEROUPPER

none:
	RET

// func lowestVectors(dst, src *int32, n, shift int)
TEXT ·lowestVectors(SB), NOSPLIT, $0-32
	MOVQ  dst+0(FP), DI
	MOVQ  src+8(FP), SI
	MOVQ  n+16(FP), CX
	MOVQ  shift+24(FP), DX
	LEAQ  (SI)(DX*4), DX
	TESTQ CX, CX
	JZ    none

next:
	VMOVDQU (SI), Y0
	VPMINSD (DX), Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DX
	ADDQ    $32, DI
	DECQ    CX
	JNZ     next
	VZEROUPPER

none:
	RET

// Four places lie in three vectors, x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3; FOUR takes them to X0, X1 and X2 by
// coordinate.
#define FOUR(from) \
	VMOVUPS   0(from), X3           \
	VMOVUPS   16(from), X4          \
	VMOVUPS   32(from), X5          \
	VBLENDPS  $4, X4, X3, X0        \
	VBLENDPS  $2, X5, X0, X0        \
	VPERMILPS $0x6c, X0, X0         \
	VBLENDPS  $9, X4, X3, X1        \
	VBLENDPS  $4, X5, X1, X1        \
	VPERMILPS $0xb1, X1, X1         \
	VBLENDPS  $2, X4, X3, X2        \
	VBLENDPS  $9, X5, X2, X2        \
	VPERMILPS $0xc6, X2, X2

// ALONG computes one coordinate of four places, from Y0, Y1 and Y2, by the row of the turning at row(DX).
#define ALONG(row, y, x) \
	VMULPD     row+0(DX), Y0, y      \
	VMULPD     row+32(DX), Y1, Y3    \
	VADDPD     Y3, y, y              \
	VMULPD     row+64(DX), Y2, Y3    \
	VADDPD     Y3, y, y              \
	VADDPD     row+96(DX), y, y      \
	VCVTTPD2DQY y, x                 \
	VPSUBD     X9, x, x

// func turnFours(dst *viewPoint, src *[3]float32, n int, m *turning)
TEXT ·turnFours(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	MOVQ         m+24(FP), DX
	MOVL         $0x2000000, AX // roundBias
	VMOVD        AX, X9
	VPBROADCASTD X9, X9
	VPXOR        X8, X8, X8

loop:
	FOUR(SI)
	VCVTPS2PD   X0, Y0
	VCVTPS2PD   X1, Y1
	VCVTPS2PD   X2, Y2
	ALONG(0, Y4, X4)
	ALONG(128, Y5, X5)
	ALONG(256, Y6, X6)
	VPUNPCKLDQ  X5, X4, X0
	VPUNPCKHDQ  X5, X4, X1
	VPUNPCKLDQ  X8, X6, X2
	VPUNPCKHDQ  X8, X6, X3
	VPUNPCKLQDQ X2, X0, X4
	VPUNPCKHQDQ X2, X0, X5
	VPUNPCKLQDQ X3, X1, X6
	VPUNPCKHQDQ X3, X1, X7
	VMOVDQU     X4, 0(DI)
	VMOVDQU     X5, 16(DI)
	VMOVDQU     X6, 32(DI)
	VMOVDQU     X7, 48(DI)
	ADDQ        $48, SI
	ADDQ        $64, DI
	DECQ        CX
	JNZ         loop
	VZEROUPPER
	RET

// func faceFours(normals *[3]float32, n int, d *[3]float32, least float32) uint64
TEXT ·faceFours(SB), NOSPLIT, $0-40
	MOVQ         normals+0(FP), SI
	MOVQ         n+8(FP), R8
	MOVQ         d+16(FP), DX
	VBROADCASTSS 0(DX), X6
	VBROADCASTSS 4(DX), X7
	VBROADCASTSS 8(DX), X8
	VBROADCASTSS least+24(FP), X9
	XORQ         AX, AX
	XORL         CX, CX

loop:
	FOUR(SI)
	VMULPS    X6, X0, X0
	VMULPS    X7, X1, X1
	VMULPS    X8, X2, X2
	VADDPS    X1, X0, X0
	VADDPS    X2, X0, X0
	VCMPPS    $5, X9, X0, X0 // not less
	VMOVMSKPS X0, BX
	SHLQ      CX, BX
	ORQ       BX, AX
	ADDQ      $48, SI
	ADDQ      $4, CX
	DECQ      R8
	JNZ       loop
	MOVQ      AX, ret+32(FP)
	RET

// func enterVectors(dst *int32, f *facets, n int, d *[3]float32, first int, places *uint64) (count int)
TEXT ·enterVectors(SB), NOSPLIT, $0-56
	MOVQ         dst+0(FP), DI
	MOVQ         f+8(FP), SI
	MOVQ         n+16(FP), CX
	MOVQ         d+24(FP), DX
	MOVQ         places+40(FP), R8
	VBROADCASTSS 0(DX), Y6
	VBROADCASTSS 4(DX), Y7
	VBROADCASTSS 8(DX), Y8
	VPBROADCASTD first+32(FP), Y9
	VPCMPEQD     Y10, Y10, Y10
	VPSRLD       $31, Y10, Y10
	VPSLLD       $3, Y10, Y10 // eight

loop:
	VMULPS    0(SI), Y6, Y0
	VMULPS    32(SI), Y7, Y1
	VMULPS    64(SI), Y8, Y2
	VADDPS    Y1, Y0, Y0
	VADDPS    Y2, Y0, Y0
	VCMPPS    $1, 96(SI), Y0, Y0 // less
	VMOVMSKPS Y0, BX
	VPMOVZXBD (R8)(BX*8), Y1
	VPADDD    Y9, Y1, Y1
	VPADDD    Y10, Y9, Y9
	VMOVDQU   Y1, (DI)           // the next group writes over those that are not chosen
	POPCNTL   BX, BX
	LEAQ      (DI)(BX*4), DI
	ADDQ      $128, SI
	DECQ      CX
	JNZ       loop
	SUBQ      dst+0(FP), DI
	SHRQ      $2, DI
	MOVQ      DI, count+48(FP)
	VZEROUPPER
	RET
