// Records what Crypto++ makes of random keys and texts with HIGHT, for hight.txt.
//
//     c++ -O2 -o hight hight.cpp -lcryptopp && ./hight
//
// Debian has it as libcrypto++-dev.

#include <cryptopp/hight.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>

namespace {

constexpr unsigned CASES = 1000;

template <std::size_t Size> using Bytes = std::array<unsigned char, Size>;

template <std::size_t Size> Bytes<Size> draw(std::mt19937 &draws)
{
    Bytes<Size> bytes;
    for (auto &byte : bytes) {
        byte = static_cast<unsigned char>(draws() & 0xff);
    }
    return bytes;
}

template <std::size_t Size> Bytes<Size> reversed(Bytes<Size> bytes)
{
    std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

template <std::size_t Size> void print(const Bytes<Size> &bytes, char behind)
{
    for (const auto byte : bytes) {
        std::printf("%02x", byte);
    }
    std::putchar(behind);
}

} // namespace

int main()
{
    // The engine and its default seed are the standard's, so that all make the same inputs.
    std::mt19937 draws;
    for (unsigned made = 0; made < CASES; made++) {
        const auto key = draw<16>(draws);
        const auto text = draw<8>(draws);
        // Crypto++ has the bytes of each in the other order.
        const auto theirs = reversed(key);
        const CryptoPP::HIGHT::Encryption cipher(theirs.data(), theirs.size());
        auto block = reversed(text);
        cipher.ProcessBlock(block.data());
        print(key, ' ');
        print(text, ' ');
        print(reversed(block), '\n');
    }
}
