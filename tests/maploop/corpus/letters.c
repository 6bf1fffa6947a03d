/* Letters of a text, and pairs of letters in a table of two dimensions. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *text =
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, "
    "it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of Darkness";

int main(void)
{
    unsigned count[26] = {0};
    static unsigned short pair[26][26];
    const int length = (int)strlen(text);
    int spaces = 0;

#pragma inlay maploop
    for (int i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (isalpha(c))
            count[tolower(c) - 'a']++;
        else if (isspace(c))
            spaces++;
        if (i + 1 < length && isalpha(c) && isalpha((unsigned char)text[i + 1]))
            pair[tolower(c) - 'a'][tolower((unsigned char)text[i + 1]) - 'a']++;
    }
    for (int l = 0; l < 26; l++)
        if (count[l]) printf("%c%u ", 'a' + l, count[l]);
    printf("\n%d spaces, th %u, he %u\n", spaces, pair['t' - 'a']['h' - 'a'], pair['h' - 'a']['e' - 'a']);
    return 0;
}
