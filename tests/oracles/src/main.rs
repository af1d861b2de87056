//! Answers questions about ciphers and hashes, a line each, by crates of other people.
//!
//! A question is a name, an operation, and bytes in hexadecimal, of which none are `-`:
//!
//! ```text
//! aria128 encrypt KEY TEXT                 whole blocks, each by itself
//! skein256 hash MESSAGE
//! ascon_aead128 seal KEY NONCE AD TEXT     the tag comes last
//! ```
//!
//! The answer is a line of bytes in the same form. A question that is none ends the program.

use std::error::Error;
use std::io::{BufRead, Write};

use aria::cipher::consts::{U12, U16};
use aria::cipher::{Array, BlockCipherEncrypt, KeyInit};
use ascon_aead::AsconAead128;
use ascon_aead::aead::{Aead, Payload};
use groestl::Digest;
use lea::prelude::{BlockEncrypt, NewBlockCipher};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        writeln!(out, "{}", written(&answer(&words)?))?;
        out.flush()?;
    }
    Ok(())
}

fn answer(words: &[&str]) -> Result<Vec<u8>> {
    match words {
        [name, "encrypt", key, text] => encrypt(name, &read(key)?, &read(text)?),
        [name, "hash", message] => hash(name, &read(message)?),
        ["ascon_aead128", "seal", key, nonce, ad, text] => {
            seal(&read(key)?, &read(nonce)?, &read(ad)?, &read(text)?)
        }
        _ => Err(unknown(words)),
    }
}

fn encrypt(name: &str, key: &[u8], text: &[u8]) -> Result<Vec<u8>> {
    match name {
        "aria128" => blocks::<aria::Aria128>(key, text),
        "aria192" => blocks::<aria::Aria192>(key, text),
        "aria256" => blocks::<aria::Aria256>(key, text),
        "gift128" => blocks::<gift_cipher::Gift128>(key, text),
        "lea128" => lea128(key, text),
        "present80" => present80(key, text),
        "present128" => present128(key, text),
        "rc5" => blocks::<rc5::RC5<u32, U12, U16>>(key, text),
        "rc6" => blocks::<rc6::RC6_32_20_16>(key, text),
        "speck64_128" => blocks::<speck_cipher::Speck64_128>(key, text),
        _ => Err(unknown(&[name])),
    }
}

fn hash(name: &str, message: &[u8]) -> Result<Vec<u8>> {
    match name {
        "ascon_hash256" => Ok(ascon_hash256::AsconHash256::digest(message).to_vec()),
        "groestl256" => Ok(groestl::Groestl256::digest(message).to_vec()),
        "groestl512" => Ok(groestl::Groestl512::digest(message).to_vec()),
        "skein256" => Ok(skein::Skein256_256::digest(message).to_vec()),
        "skein512" => Ok(skein::Skein512_512::digest(message).to_vec()),
        _ => Err(unknown(&[name])),
    }
}

fn seal(key: &[u8], nonce: &[u8], aad: &[u8], msg: &[u8]) -> Result<Vec<u8>> {
    let cipher = AsconAead128::new(key.try_into()?);
    let sealed = cipher.encrypt(nonce.try_into()?, Payload { msg, aad });
    Ok(sealed.map_err(|_| "Ascon-AEAD128 refuses")?)
}

fn blocks<C: BlockCipherEncrypt + KeyInit>(key: &[u8], text: &[u8]) -> Result<Vec<u8>> {
    let cipher = C::new_from_slice(key)?;
    let each = text.chunks(C::block_size()).map(|block| {
        let mut block: Array<u8, C::BlockSize> = block.try_into()?;
        cipher.encrypt_block(&mut block);
        Ok(block.to_vec())
    });
    each.collect::<Result<Vec<_>>>().map(|all| all.concat())
}

/// Its crate has traits of another time.
fn lea128(key: &[u8], text: &[u8]) -> Result<Vec<u8>> {
    let key: [u8; 16] = key.try_into()?;
    let cipher = lea::Lea128::new(&key.into());
    let each = text.chunks(16).map(|block| {
        let mut block = <[u8; 16]>::try_from(block)?.into();
        cipher.encrypt_block(&mut block);
        Ok(block.to_vec())
    });
    each.collect::<Result<Vec<_>>>().map(|all| all.concat())
}

fn present80(key: &[u8], text: &[u8]) -> Result<Vec<u8>> {
    let cipher = cryptography::Present80::new(key.try_into()?);
    let each = text.chunks(8).map(|block| Ok(cipher.encrypt_block(block.try_into()?)));
    each.collect::<Result<Vec<_>>>().map(|all| all.concat())
}

fn present128(key: &[u8], text: &[u8]) -> Result<Vec<u8>> {
    let cipher = cryptography::Present128::new(key.try_into()?);
    let each = text.chunks(8).map(|block| Ok(cipher.encrypt_block(block.try_into()?)));
    each.collect::<Result<Vec<_>>>().map(|all| all.concat())
}

fn read(word: &str) -> Result<Vec<u8>> {
    Ok(if word == "-" { Vec::new() } else { hex::decode(word)? })
}

fn written(bytes: &[u8]) -> String {
    if bytes.is_empty() { "-".to_owned() } else { hex::encode(bytes) }
}

fn unknown(words: &[&str]) -> Box<dyn Error> {
    format!("this is no question: {}", words.join(" ")).into()
}
