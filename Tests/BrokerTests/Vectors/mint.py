#!/usr/bin/env python3
"""Mints provider-tokens.json: key sets and tokens by PyJWT and cryptography, good and hostile.

    python3 -m venv venv && venv/bin/pip install pyjwt cryptography
    venv/bin/python mint.py > provider-tokens.json

Tests read the file alone. New keys are made at each run.
"""
import base64, hashlib, hmac, json
import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

NOW, ISSUER, AUDIENCE = 1_800_000_000, "http://127.0.0.1:9/auth/v1", "authenticated"
SECRET = "the secret of the identity provider"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, size=None):
    return b64(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


def ec_jwk(key, **more):
    n = key.public_key().public_numbers()
    size = (key.curve.key_size + 7) // 8
    crv = {"secp256r1": "P-256", "secp384r1": "P-384", "secp256k1": "secp256k1"}[key.curve.name]
    return {"kty": "EC", "crv": crv, "x": number(n.x, size), "y": number(n.y, size), **more}


def rsa_jwk(key, **more):
    n = key.public_key().public_numbers()
    return {"kty": "RSA", "n": number(n.n), "e": number(n.e), **more}


def pem(key):
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


p256, other, twice = (ec.generate_private_key(ec.SECP256R1()) for _ in range(3))
p384, k256 = ec.generate_private_key(ec.SECP384R1()), ec.generate_private_key(ec.SECP256K1())
rsa2048, rsa3072, rsa1024 = (rsa.generate_private_key(65537, bits) for bits in (2048, 3072, 1024))

CLAIMS = {"sub": "5f0c", "aud": AUDIENCE, "role": "authenticated", "iss": ISSUER, "exp": NOW + 600, "iat": NOW,
          "email": "a@b.example", "app_metadata": {"tier": "pro", "dossier_role": "viewer"},
          "user_metadata": {"tier": "gold", "dossier_role": "admin"}}


def claims(**changes):
    return {k: v for k, v in {**CLAIMS, **changes}.items() if v is not ...}


def es(kid="e1", key=p256, header=None, **changes):
    return jwt.encode(claims(**changes), key, algorithm="ES256", headers={"kid": kid, **(header or {})})


def rs(kid="r1", key=rsa2048, **changes):
    return jwt.encode(claims(**changes), key, algorithm="RS256", headers={"kid": kid})


def raw(header, body, sign):
    text = b64(header.encode()) + "." + b64(body.encode())
    return text + "." + b64(sign(text.encode()))


def es_raw(header, body, key=p256, der=False):
    def sign(text):
        signature = key.sign(text, ec.ECDSA(hashes.SHA256()))
        if der:
            return signature
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
        r, s = decode_dss_signature(signature)
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")
    return raw(header, body, sign)


def hs(key, header, body=None):
    return raw(header, body or json.dumps(claims()), lambda t: hmac.new(key, t, hashlib.sha256).digest())


body = json.dumps(claims())
good = es()
head, payload, tail = good.split(".")
e1 = '{"alg":"ES256","kid":"e1"}'
off = ec_jwk(other, kid="off")
off["y"] = number(int.from_bytes(base64.urlsafe_b64decode(off["y"] + "=="), "big") ^ 1, 32)
KEYS = [
    ec_jwk(p256, kid="e1", use="sig", alg="ES256"), rsa_jwk(rsa2048, kid="r1", key_ops=["verify"]),
    rsa_jwk(rsa3072, kid="r3072", alg="RS256"), rsa_jwk(rsa1024, kid="short"), ec_jwk(p384, kid="p384"),
    ec_jwk(k256, kid="k256"), {"kty": "oct", "kid": "oct", "k": b64(SECRET.encode())},
    {"kty": "oct", "kid": "e1oct", "k": b64(b"x" * 32), "alg": "HS256"}, off,
    ec_jwk(other, kid="enc", use="enc"), ec_jwk(other, kid="ops", key_ops=["sign"]),
    ec_jwk(other, kid="wrongalg", alg="ES384"), rsa_jwk(rsa2048, kid="pss", alg="PS256"),
    ec_jwk(other, kid="twice"), ec_jwk(twice, kid="twice"), {"kty": "EC", "kid": "empty"}, "text", None,
    {"kty": "RSA", "kid": "e1exp", "n": number(rsa2048.public_key().public_numbers().n), "e": "AQ"},
]

accepted = {
    "ES256": good, "RS256 of 2048 bits": rs(), "RS256 of 3072 bits": rs("r3072", rsa3072),
    "a list of audiences": es(aud=["other", AUDIENCE]), "no role": es(role=...), "no iat": es(iat=...),
    "a fraction of a second": es(exp=NOW + 0.5), "over within the leeway": es(exp=NOW - 59),
    "not yet valid within the leeway": es(nbf=NOW + 60, iat=NOW + 60), "not anonymous": es(is_anonymous=False),
    "no kid with the only ES256 key": jwt.encode(claims(), p256, algorithm="ES256"),
    "keys named in the header have no effect": es(header={
        "jwk": ec_jwk(other), "jku": "http://127.0.0.1:9/evil", "x5u": "http://127.0.0.1:9/evil", "x5c": ["AAAA"]}),
    "the shared secret": jwt.encode(claims(), SECRET, algorithm="HS256"),
}
refused = {
    "alg none": raw('{"alg":"none","kid":"e1"}', body, lambda t: b""), "alg None": raw('{"alg":"None"}', body, lambda t: b""),
    "HS256 with the PEM of the EC key": hs(pem(p256).encode(), '{"alg":"HS256","kid":"e1"}'),
    "HS256 with the PEM of the RSA key": hs(pem(rsa2048).encode(), '{"alg":"HS256","kid":"r1"}'),
    "HS256 with the key of an oct JWK": hs(b"x" * 32, '{"alg":"HS256","kid":"e1oct"}'),
    "HS256 with an empty secret": hs(b"", '{"alg":"HS256"}'),
    "HS256 of another issuer": hs(SECRET.encode(), '{"alg":"HS256"}', json.dumps(claims(iss="x"))),
    "ES256 with the secret": hs(SECRET.encode(), e1),
    "an ES256 key under RS256": es_raw('{"alg":"RS256","kid":"e1"}', body),
    "an RSA key under ES256": jwt.encode(claims(), p256, algorithm="ES256", headers={"kid": "r1"}),
    "ES384": jwt.encode(claims(), p384, algorithm="ES384", headers={"kid": "p384"}),
    "ES256 with P-384": es_raw('{"alg":"ES256","kid":"p384"}', body, key=p256),
    "PS256": jwt.encode(claims(), rsa2048, algorithm="PS256", headers={"kid": "r1"}),
    "PSS padding under RS256": raw('{"alg":"RS256","kid":"r1"}', body, lambda t: rsa2048.sign(
        t, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())),
    "SHA-1 under RS256": raw('{"alg":"RS256","kid":"r1"}', body, lambda t: rsa2048.sign(
        t, padding.PKCS1v15(), hashes.SHA1())),
    "RS512": jwt.encode(claims(), rsa2048, algorithm="RS512", headers={"kid": "r1"}),
    "a short RSA key": jwt.encode(claims(), rsa1024, algorithm="RS256", headers={"kid": "short"}),
    "an RSA exponent of 1": raw('{"alg":"RS256","kid":"e1exp"}', body, lambda t: bytes(
        [0, 1] + [255] * (256 - 51 - 3) + [0]) + bytes.fromhex("3031300d060960864801650304020105000420")
        + hashlib.sha256(t).digest()),
    "a DER signature": es_raw(e1, body, der=True),
    "a signature of zeros": raw(e1, body, lambda t: bytes(64)), "an empty signature": raw(e1, body, lambda t: b""),
    "a signature with r = n": raw(e1, body, lambda t: bytes.fromhex(
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551") * 2),
    "a signature with a byte more": good + "AA", "another key of the same curve": es(key=other),
    "a key off the curve": es("off", other), "use enc": es("enc", other), "key_ops without verify": es("ops", other),
    "a key of another alg": es("wrongalg", other), "a PS256 key under RS256": rs("pss"),
    "a kid that comes twice": es("twice", other), "the other key under it": es("twice", twice),
    "an unknown kid": es("nobody"), "a kid in other case": es("E1"),
    "a kid that is a number": es_raw('{"alg":"ES256","kid":1}', body), "a kid that is null": es_raw('{"alg":"ES256","kid":null}', body),
    "no kid with two RSA keys": jwt.encode(claims(), rsa2048, algorithm="RS256"),
    "crit": es(header={"crit": ["exp"]}), "crit that is empty": es(header={"crit": []}),
    "a repeated header member": es_raw('{"alg":"ES256","kid":"e1","kid":"e1"}', body),
    "a repeated claim": es_raw(e1, body[:-1] + ',"sub":"5f0c"}'),
    "a repeated member within a claim": es_raw(e1, body[:-1] + ',"x":{"a":1,"a":2}}'),
    "claims that are a list": es_raw(e1, "[1]"), "a header that is a text": es_raw('"ES256"', body),
    "padding": head + "=." + payload + "." + tail, "a line break": head + "\n." + payload + "." + tail,
    "plus and slash": es_raw(e1, json.dumps(claims(x="\u00ff\u00fb\u00ff>>>???"))).replace("-", "+").replace("_", "/") + "+",
    "four parts": good + ".", "two parts": head + "." + payload, "no header": "." + payload + "." + tail,
    "more than 8192 bytes": es(x="y" * 6200),
    "another issuer": es(iss="http://127.0.0.1:9/auth/v2"), "the issuer with a slash": es(iss=ISSUER + "/"),
    "no issuer": es(iss=...), "a list of issuers": es_raw(e1, json.dumps(claims(iss=[ISSUER]))),
    "another audience": es(aud="anon"), "no audience": es(aud=...), "an empty list": es(aud=[]),
    "an audience in a list in a list": es_raw(e1, json.dumps(claims(aud=[[AUDIENCE]]))),
    "no exp": es(exp=...), "exp as a text": es_raw(e1, json.dumps(claims(exp=str(NOW + 60)))),
    "nbf to come": es(nbf=NOW + 61), "iat to come": es(iat=NOW + 61),
    "nbf as a text": es_raw(e1, json.dumps(claims(nbf="0"))),
    "the service's role": es(role="service_role"), "the anonymous role": es(role="anon"),
    "a role that is null": es(role=None), "no sub": es(sub=...), "an empty sub": es(sub=""), "system": es(sub="system"),
    "a sub with a space": es(sub="a b"), "a sub with a control": es(sub="a\u0007"), "a long sub": es(sub="s" * 201),
    "a sub that is a number": es_raw(e1, json.dumps(claims(sub=7))),
}
expired = {"just over": es(exp=NOW - 60), "long over": rs(exp=5), "below zero": es(exp=-1)}
anonymous = {"anonymous": es(is_anonymous=True), "anonymous by secret": jwt.encode(
    claims(is_anonymous=True), SECRET, algorithm="HS256")}
rotated = {"keys": [ec_jwk(other, kid="e2")]}
print(json.dumps({
    "now": NOW, "issuer": ISSUER, "keys": {"keys": KEYS}, "rotated_keys": rotated,
    "rotated": es("e2", other), "accepted": accepted, "refused": refused, "expired": expired, "anonymous": anonymous,
}, indent=1))
