/* Sums and products digit by digit. */
#include "slow_paper.h"
#include <check.h>
#include <string.h>

paper paper_add(paper a, const paper *b)
{
    int carry = 0;
    for (int i = 0; i < PAPER_DIGITS; i++) {
        int sum = a.digit[i] + b->digit[i] + carry;
        a.digit[i] = sum % 10;
        carry = sum / 10;
    }
    ck_assert_int_eq(carry, 0);
    return a;
}

paper paper_of(int64_t number, int scale)
{
    paper result = {{0}};
    for (int i = PAPER_POINT - scale; number > 0; i++, number /= 10) {
        ck_assert(i >= 0 && i < PAPER_DIGITS);
        result.digit[i] = (int)(number % 10);
    }
    return result;
}

paper paper_times(int64_t a, int64_t b, int scale)
{
    paper product = {{0}};
    for (int place = 0; a > 0; place++, a /= 10) {
        paper row = paper_of(b, scale - place);
        for (int times = (int)(a % 10); times > 0; times--) {
            product = paper_add(product, &row);
        }
    }
    return product;
}

paper paper_round(paper a, int decimals)
{
    bool up = a.digit[PAPER_POINT - decimals - 1] >= 5;
    memset(a.digit, 0, (size_t)(PAPER_POINT - decimals) * sizeof *a.digit);
    paper step = paper_of(1, decimals);
    return up ? paper_add(a, &step) : a;
}

int paper_compare(const paper *a, const paper *b)
{
    for (int i = PAPER_DIGITS - 1; i >= 0; i--) {
        if (a->digit[i] != b->digit[i]) {
            return a->digit[i] > b->digit[i] ? 1 : -1;
        }
    }
    return 0;
}

bool paper_is_zero(const paper *a)
{
    return paper_compare(a, &(paper){{0}}) == 0;
}

int paper_power(const paper *a)
{
    int i = PAPER_DIGITS - 1;
    while (a->digit[i] == 0) {
        i--;
    }
    return i - PAPER_POINT;
}
