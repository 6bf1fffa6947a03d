/* Figures in words. */
#ifndef TOOLS_MEASURE_WORDS_H
#define TOOLS_MEASURE_WORDS_H

/** "1.25 ms": so many digits and a unit, with `blank` between them. Returns `text`. */
enum { VALUE_TEXT = 40 };
char *seconds_text(double seconds, int digits, const char *blank, char text[VALUE_TEXT]);

/** "1.15 MB/s"; "unknown" where it is infinite. */
char *rate_text(double bytes, int digits, const char *blank, char text[VALUE_TEXT]);

/** "3.2 %" */
char *share_text(double share, char text[VALUE_TEXT]);

#endif
