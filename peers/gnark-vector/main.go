// Products of gnark-crypto's vectors on pointers, as a shared object. Elements lie as gnark-crypto has them: behind each other, in Montgomery form, canonical.
package main

import "C"

import (
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
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

func main() {}
