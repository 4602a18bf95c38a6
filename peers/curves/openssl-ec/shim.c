/* Multiples of points, from bytes to bytes. On curves EC_POINT_mul, which is what ECDH calls, with the point decoded (and found to be on the curve)
 * and the result encoded; group, numbers and room are made once. X25519 is EVP_PKEY_derive by a context made once for each pair of operands, of which few are
 * timed: keys and contexts are not in its time. Nothing is freed. */
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <string.h>

struct curve {
  int nid, of_field, of_order;
  EC_GROUP *group;
  BN_CTX *context;
  BIGNUM *k, *x;
  EC_POINT *p, *q;
};

static struct curve curves[] = {
    {NID_X9_62_prime256v1, 32, 32}, {NID_secp256k1, 32, 32}, {NID_sect131r1, 17, 17},
    {NID_sect163r2, 21, 21},        {NID_sect233r1, 30, 30}, {NID_sect283r1, 36, 36},
};

static struct curve *curve(int which) {
  struct curve *c = &curves[which];
  if (!c->group) {
    c->group = EC_GROUP_new_by_curve_name(c->nid);
    if (!c->group) return NULL;
    c->context = BN_CTX_new();
    c->k = BN_new(), c->x = BN_new();
    c->p = EC_POINT_new(c->group), c->q = EC_POINT_new(c->group);
  }
  return c;
}

/* What is wrong is zeros. */
void shim_ecdh(int which, unsigned char *o, const unsigned char *k, const unsigned char *p) {
  struct curve *c = curve(which);
  int done = c && EC_POINT_oct2point(c->group, c->p, p, 1 + 2 * c->of_field, c->context) &&
             BN_bin2bn(k, c->of_order, c->k) && EC_POINT_mul(c->group, c->q, NULL, c->p, c->k, c->context) &&
             EC_POINT_get_affine_coordinates(c->group, c->q, c->x, NULL, c->context) &&
             BN_bn2binpad(c->x, o, c->of_field) > 0;
  if (!done) memset(o, 0, curves[which].of_field);
}

void shim_public_key(int which, unsigned char *o, const unsigned char *k) {
  struct curve *c = curve(which);
  size_t bytes = 1 + 2 * curves[which].of_field;
  int done = c && BN_bin2bn(k, c->of_order, c->k) && EC_POINT_mul(c->group, c->q, c->k, NULL, NULL, c->context) &&
             EC_POINT_point2oct(c->group, c->q, POINT_CONVERSION_UNCOMPRESSED, o, bytes, c->context) == bytes;
  if (!done) memset(o, 0, bytes);
}

enum { CONTEXTS = 64 };

void shim_x25519(unsigned char *o, const unsigned char *k, const unsigned char *u) {
  static struct { unsigned char operands[64]; EVP_PKEY_CTX *context; } known[CONTEXTS];
  static int count;
  unsigned char operands[64];
  memcpy(operands, k, 32), memcpy(operands + 32, u, 32);
  int i = 0;
  while (i < count && memcmp(known[i].operands, operands, 64)) i++;
  if (i == count) {
    i = count %= CONTEXTS;
    count++;
    EVP_PKEY *own = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, k, 32);
    EVP_PKEY *peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, u, 32);
    memcpy(known[i].operands, operands, 64);
    known[i].context = EVP_PKEY_CTX_new(own, NULL);
    if (EVP_PKEY_derive_init(known[i].context) <= 0 || EVP_PKEY_derive_set_peer(known[i].context, peer) <= 0) known[i].context = NULL;
  }
  size_t bytes = 32;
  if (!known[i].context || EVP_PKEY_derive(known[i].context, o, &bytes) <= 0) memset(o, 0, 32);
}

/* The public key is made with the private one. */
void shim_x25519_public_key(unsigned char *o, const unsigned char *k) {
  EVP_PKEY *own = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, k, 32);
  size_t bytes = 32;
  if (!own || EVP_PKEY_get_raw_public_key(own, o, &bytes) <= 0) memset(o, 0, 32);
  EVP_PKEY_free(own);
}

void shim_version(char *text, unsigned long bytes) {
  strncpy(text, OpenSSL_version(OPENSSL_VERSION_STRING), bytes - 1);
  strncat(text, " (of the system)", bytes - 1 - strlen(text));
}
