//! The kinds of primitives: which sizes each has, and which functions with which arguments.

/// A kind of primitive.
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// The sizes in bytes that a member states.
    pub sizes: &'static [&'static str],
    /// Sizes that it may state beside these.
    pub optional: &'static [&'static str],
    /// The functions.
    pub operations: &'static [Operation],
}

/// A function of a kind.
pub struct Operation {
    /// Its name; that of the C function follows the member's and an underscore.
    pub name: &'static str,
    /// Its arguments' roles, in the order in which the function takes them.
    pub arguments: &'static [&'static str],
    /// True if every implementation has it, unless it says otherwise.
    pub usual: bool,
}

/// Roles of arguments that every operation may have: a zero, how many bytes a tag has, or where the
/// function says how many bytes it has made.
pub const FURTHER: &[&str] = &["zero", "tag_size", "result_length"];
/// How the role of a size ends that takes 64 bits, where the interface of others wants it so.
pub const WIDE: &str = "64";

const fn usual(name: &'static str, arguments: &'static [&'static str]) -> Operation {
    Operation { name, arguments, usual: true }
}

const fn special(name: &'static str, arguments: &'static [&'static str]) -> Operation {
    Operation { name, arguments, usual: false }
}

/// All kinds.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "block_cipher",
        sizes: &["key", "block"],
        optional: &[],
        operations: &[
            usual("expand", &["keys", "key"]),
            special("expand_decrypt", &["keys", "key"]),
            usual("encrypt", &["keys", "text", "result"]),
            usual("decrypt", &["keys", "text", "result"]),
        ],
    },
    Kind {
        name: "stream_cipher",
        sizes: &["key"],
        optional: &["nonce"],
        operations: &[
            usual("init", &["state", "key", "nonce", "key_size"]),
            usual("crypt", &["state", "text", "result", "text_size"]),
        ],
    },
    Kind {
        name: "hash",
        sizes: &["digest", "block"],
        optional: &[],
        operations: &[
            usual("init", &["state"]),
            usual("update", &["state", "message", "message_size"]),
            usual("final", &["state", "digest"]),
            special("hash", &["digest", "message", "message_size"]),
        ],
    },
    Kind {
        name: "mac",
        sizes: &["tag"],
        optional: &["block"],
        operations: &[
            usual("init", &["state", "key", "key_size"]),
            usual("update", &["state", "message", "message_size"]),
            usual("final", &["state", "tag"]),
        ],
    },
    Kind {
        name: "aead",
        sizes: &["key", "nonce", "tag"],
        optional: &["block"],
        operations: &[
            usual("seal", &["key", "nonce", "ad", "ad_size", "text", "text_size", "result"]),
            usual("open", &["key", "nonce", "ad", "ad_size", "text", "text_size", "result"]),
        ],
    },
    Kind {
        name: "mode",
        sizes: &["key", "block"],
        optional: &["tag"],
        operations: &[
            usual("expand", &["keys", "key"]),
            special("expand_decrypt", &["keys", "key"]),
            usual("encrypt", &["keys", "iv", "text", "result", "text_size"]),
            usual("decrypt", &["keys", "iv", "text", "result", "text_size"]),
        ],
    },
    Kind {
        name: "key_exchange",
        sizes: &["secret", "public", "shared"],
        optional: &[],
        operations: &[
            usual("public", &["secret", "public"]),
            usual("shared", &["secret", "peer", "shared"]),
        ],
    },
    Kind {
        name: "signature",
        sizes: &["secret", "public", "signature"],
        optional: &[],
        operations: &[
            usual("public", &["secret", "public"]),
            usual("sign", &["secret", "message", "message_size", "signature"]),
            usual("verify", &["public", "message", "message_size", "signature"]),
        ],
    },
    Kind {
        name: "ecdsa",
        sizes: &["secret", "public", "digest", "signature", "shared"],
        optional: &[],
        operations: &[
            usual("public", &["secret", "public"]),
            usual("sign", &["secret", "digest", "digest_size", "nonce", "signature"]),
            special("sign_deterministic", &["secret", "digest", "digest_size", "signature"]),
            usual("verify", &["public", "digest", "digest_size", "signature"]),
            usual("shared", &["secret", "peer", "shared"]),
        ],
    },
    Kind {
        name: "rsa",
        sizes: &["modulus", "half", "exponent", "digest"],
        optional: &[],
        operations: &[
            usual("public", &["n", "e", "message", "result"]),
            usual("private", &["n", "d", "message", "result"]),
            usual("blind", &["p", "q", "qinv", "e", "random", "blinding"]),
            usual(
                "private_crt",
                &["p", "q", "dp", "dq", "qinv", "e", "blinding", "message", "result"],
            ),
            usual("encrypt_pkcs1", &["n", "e", "random", "message", "message_size", "result"]),
            usual("decrypt_pkcs1", &["n", "d", "cipher", "result", "result_length"]),
            usual("decrypt_pkcs1_implicit", &["n", "d", "cipher", "result", "result_length"]),
            usual(
                "encrypt_oaep",
                &["n", "e", "seed", "label", "label_size", "message", "message_size", "result"],
            ),
            usual(
                "decrypt_oaep",
                &["n", "d", "cipher", "label", "label_size", "result", "result_length"],
            ),
            usual("sign_pkcs1", &["n", "d", "digest", "signature"]),
            usual("verify_pkcs1", &["n", "e", "digest", "signature"]),
        ],
    },
    Kind {
        name: "rsa_toy",
        sizes: &["block"],
        optional: &[],
        operations: &[
            usual("prime", &["from"]),
            usual("gcd", &["a", "b"]),
            usual("power", &["exponent"]),
            usual("encrypt", &["x", "y", "n"]),
            usual("keys", &["p", "q", "keys"]),
            usual("crypt", &["text", "result", "text_size", "y", "n"]),
        ],
    },
    Kind {
        name: "signing",
        sizes: &["public", "secret", "signature"],
        optional: &[],
        operations: &[
            usual("keypair", &["public", "secret"]),
            usual("sign", &["signature", "result_length", "message", "message_size", "secret"]),
            usual("verify", &["signature", "signature_size", "message", "message_size", "public"]),
        ],
    },
    Kind {
        name: "kem",
        sizes: &["public", "secret", "ciphertext", "shared"],
        optional: &[],
        operations: &[
            usual("keypair", &["public", "secret"]),
            usual("encapsulate", &["ciphertext", "shared", "public"]),
            usual("decapsulate", &["shared", "ciphertext", "secret"]),
        ],
    },
];
