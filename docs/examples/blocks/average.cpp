// The mean of the last inputs, as many as the parameter `length` says.
#include <cocrypt/block.h>

#include <deque>
#include <numeric>

class Average final : public cocrypt::Block {
    const cocrypt::Port value = input("value", 16), mean = output("mean", 16);
    std::deque<uint64_t> last;

public:
    explicit Average(const cocrypt::Parameters &given) : last(number(given, "length", 4)) {}

    void evaluate() override
    {
        set(mean, std::accumulate(last.begin(), last.end(), uint64_t{0}) / last.size());
    }

    void clock() override
    {
        last.pop_front();
        last.push_back(get(value));
    }
};

COCRYPT_BLOCK(Average)
