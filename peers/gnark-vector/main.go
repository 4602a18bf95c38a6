// Products of gnark-crypto's vectors and in its towers on pointers, as a shared object. Elements lie as gnark-crypto has them: behind each other, in Montgomery form, canonical. Multiples of points, in Jacobian coordinates, take other times for other scalars.
package main

import "C"

import (
	"math/big"
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/field/babybear"
	"github.com/consensys/gnark-crypto/field/goldilocks"
)

// How often a call computes all products: the way into Go and back is then little beside them.
const repeats = 64

//export peer_bls12_381_fr_mul_array
func peer_bls12_381_fr_mul_array(o, a, b unsafe.Pointer) {
	const n = 128
	result := fr.Vector(unsafe.Slice((*fr.Element)(o), n))
	left, right := fr.Vector(unsafe.Slice((*fr.Element)(a), n)), fr.Vector(unsafe.Slice((*fr.Element)(b), n))
	for range repeats {
		result.Mul(left, right)
	}
}

//export peer_babybear_mul_array
func peer_babybear_mul_array(o, a, b unsafe.Pointer) {
	const n = 512
	result := babybear.Vector(unsafe.Slice((*babybear.Element)(o), n))
	left, right := babybear.Vector(unsafe.Slice((*babybear.Element)(a), n)), babybear.Vector(unsafe.Slice((*babybear.Element)(b), n))
	for range repeats {
		result.Mul(left, right)
	}
}

//export peer_goldilocks_mul_array
func peer_goldilocks_mul_array(o, a, b unsafe.Pointer) {
	const n = 256
	result := goldilocks.Vector(unsafe.Slice((*goldilocks.Element)(o), n))
	left, right := goldilocks.Vector(unsafe.Slice((*goldilocks.Element)(a), n)), goldilocks.Vector(unsafe.Slice((*goldilocks.Element)(b), n))
	for range repeats {
		result.Mul(left, right)
	}
}

// A scalar of four words.
func scalar(k unsafe.Pointer) *big.Int {
	words := unsafe.Slice((*big.Word)(k), 4)
	return new(big.Int).SetBits(append([]big.Word{}, words...))
}

//export peer_bls12_381_g1_scalar_mul_vartime
func peer_bls12_381_g1_scalar_mul_vartime(o, k, p unsafe.Pointer) {
	(*bls12381.G1Jac)(o).ScalarMultiplication((*bls12381.G1Jac)(p), scalar(k))
}

//export peer_bls12_381_g2_scalar_mul_vartime
func peer_bls12_381_g2_scalar_mul_vartime(o, k, p unsafe.Pointer) {
	(*bls12381.G2Jac)(o).ScalarMultiplication((*bls12381.G2Jac)(p), scalar(k))
}

//export peer_bls12_381_pairing
func peer_bls12_381_pairing(o, p, q unsafe.Pointer) {
	e, err := bls12381.Pair([]bls12381.G1Affine{*(*bls12381.G1Affine)(p)}, []bls12381.G2Affine{*(*bls12381.G2Affine)(q)})
	if err == nil {
		*(*bls12381.GT)(o) = e
	}
}

//export peer_bn254_g1_scalar_mul_vartime
func peer_bn254_g1_scalar_mul_vartime(o, k, p unsafe.Pointer) {
	(*bn254.G1Jac)(o).ScalarMultiplication((*bn254.G1Jac)(p), scalar(k))
}

//export peer_bn254_g2_scalar_mul_vartime
func peer_bn254_g2_scalar_mul_vartime(o, k, p unsafe.Pointer) {
	(*bn254.G2Jac)(o).ScalarMultiplication((*bn254.G2Jac)(p), scalar(k))
}

//export peer_bn254_pairing
func peer_bn254_pairing(o, p, q unsafe.Pointer) {
	e, err := bn254.Pair([]bn254.G1Affine{*(*bn254.G1Affine)(p)}, []bn254.G2Affine{*(*bn254.G2Affine)(q)})
	if err == nil {
		*(*bn254.GT)(o) = e
	}
}

// How often a product or a square in a tower is computed.
const towerRepeats = 256

//export peer_bls12_381_fp2_mul_montgomery_repeated
func peer_bls12_381_fp2_mul_montgomery_repeated(o, a, b unsafe.Pointer) {
	z, x, y := (*bls12381.E2)(o), (*bls12381.E2)(a), (*bls12381.E2)(b)
	for range towerRepeats {
		z.Mul(x, y)
	}
}

//export peer_bls12_381_fp2_sqr_montgomery_repeated
func peer_bls12_381_fp2_sqr_montgomery_repeated(o, a unsafe.Pointer) {
	z, x := (*bls12381.E2)(o), (*bls12381.E2)(a)
	for range towerRepeats {
		z.Square(x)
	}
}

//export peer_bls12_381_fp6_mul_montgomery_repeated
func peer_bls12_381_fp6_mul_montgomery_repeated(o, a, b unsafe.Pointer) {
	z, x, y := (*bls12381.E6)(o), (*bls12381.E6)(a), (*bls12381.E6)(b)
	for range towerRepeats {
		z.Mul(x, y)
	}
}

//export peer_bls12_381_fp6_sqr_montgomery_repeated
func peer_bls12_381_fp6_sqr_montgomery_repeated(o, a unsafe.Pointer) {
	z, x := (*bls12381.E6)(o), (*bls12381.E6)(a)
	for range towerRepeats {
		z.Square(x)
	}
}

//export peer_bls12_381_fp12_mul_montgomery_repeated
func peer_bls12_381_fp12_mul_montgomery_repeated(o, a, b unsafe.Pointer) {
	z, x, y := (*bls12381.E12)(o), (*bls12381.E12)(a), (*bls12381.E12)(b)
	for range towerRepeats {
		z.Mul(x, y)
	}
}

//export peer_bls12_381_fp12_sqr_montgomery_repeated
func peer_bls12_381_fp12_sqr_montgomery_repeated(o, a unsafe.Pointer) {
	z, x := (*bls12381.E12)(o), (*bls12381.E12)(a)
	for range towerRepeats {
		z.Square(x)
	}
}

//export peer_bn254_fp2_mul_montgomery_repeated
func peer_bn254_fp2_mul_montgomery_repeated(o, a, b unsafe.Pointer) {
	z, x, y := (*bn254.E2)(o), (*bn254.E2)(a), (*bn254.E2)(b)
	for range towerRepeats {
		z.Mul(x, y)
	}
}

//export peer_bn254_fp2_sqr_montgomery_repeated
func peer_bn254_fp2_sqr_montgomery_repeated(o, a unsafe.Pointer) {
	z, x := (*bn254.E2)(o), (*bn254.E2)(a)
	for range towerRepeats {
		z.Square(x)
	}
}

//export peer_bn254_fp6_mul_montgomery_repeated
func peer_bn254_fp6_mul_montgomery_repeated(o, a, b unsafe.Pointer) {
	z, x, y := (*bn254.E6)(o), (*bn254.E6)(a), (*bn254.E6)(b)
	for range towerRepeats {
		z.Mul(x, y)
	}
}

//export peer_bn254_fp6_sqr_montgomery_repeated
func peer_bn254_fp6_sqr_montgomery_repeated(o, a unsafe.Pointer) {
	z, x := (*bn254.E6)(o), (*bn254.E6)(a)
	for range towerRepeats {
		z.Square(x)
	}
}

//export peer_bn254_fp12_mul_montgomery_repeated
func peer_bn254_fp12_mul_montgomery_repeated(o, a, b unsafe.Pointer) {
	z, x, y := (*bn254.E12)(o), (*bn254.E12)(a), (*bn254.E12)(b)
	for range towerRepeats {
		z.Mul(x, y)
	}
}

//export peer_bn254_fp12_sqr_montgomery_repeated
func peer_bn254_fp12_sqr_montgomery_repeated(o, a unsafe.Pointer) {
	z, x := (*bn254.E12)(o), (*bn254.E12)(a)
	for range towerRepeats {
		z.Square(x)
	}
}

func main() {}
