#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

// Makes a key from its parameters. `EVP_PKEY_fromdata` refuses a point that is not on its curve.
static inline EVP_PKEY *dossier_key(const char *type, OSSL_PARAM_BLD *build) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(build);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (!parameters || !context || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    ERR_clear_error();
    return key;
}

// A public key on P-256. `point` is 0x04 and the two coordinates, 65 bytes.
static inline EVP_PKEY *dossier_p256_key(const unsigned char *point) {
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (build && OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0)
        && OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, 65))
        key = dossier_key("EC", build);
    OSSL_PARAM_BLD_free(build);
    return key;
}

// A public RSA key of a modulus and an exponent, both big-endian.
static inline EVP_PKEY *dossier_rsa_key(
    const unsigned char *modulus, int modulus_size, const unsigned char *exponent, int exponent_size) {
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    BIGNUM *n = BN_bin2bn(modulus, modulus_size, NULL), *e = BN_bin2bn(exponent, exponent_size, NULL);
    EVP_PKEY *key = NULL;
    if (build && n && e && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n)
        && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e))
        key = dossier_key("RSA", build);
    OSSL_PARAM_BLD_free(build);
    BN_free(n);
    BN_free(e);
    return key;
}

// Whether a signature over SHA-256 is the key's: DER for ECDSA, PKCS #1 v1.5 for RSA.
static inline int dossier_verify(
    EVP_PKEY *key, const unsigned char *signature, size_t signature_size, const unsigned char *text,
    size_t text_size) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int valid = context && EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestVerify(context, signature, signature_size, text, text_size) == 1;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return valid;
}

// The same for an ECDSA signature of 64 bytes, r and s (RFC 7518, 3.4).
static inline int dossier_verify_p256(
    EVP_PKEY *key, const unsigned char *signature, const unsigned char *text, size_t text_size) {
    ECDSA_SIG *pair = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, 32, NULL), *s = BN_bin2bn(signature + 32, 32, NULL);
    unsigned char *der = NULL;
    int size, valid = 0;
    if (pair && r && s && ECDSA_SIG_set0(pair, r, s) == 1) {
        r = s = NULL;  // The pair owns them.
        size = i2d_ECDSA_SIG(pair, &der);
        valid = size > 0 && dossier_verify(key, der, (size_t)size, text, text_size);
    }
    OPENSSL_free(der);
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(pair);
    return valid;
}
