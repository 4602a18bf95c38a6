/* libsecp256k1's field of five digits of 52 bits with names that can be linked. */
#include "int128_impl.h"
#include "field_5x52_int128_impl.h"

void evariste_secp256k1_mul(uint64_t *o, const uint64_t *a, const uint64_t *b) { rustsecp256k1_v0_14_fe_mul_inner(o, a, b); }
void evariste_secp256k1_sqr(uint64_t *o, const uint64_t *a) { rustsecp256k1_v0_14_fe_sqr_inner(o, a); }
