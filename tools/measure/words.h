/* Figures in words. */
#ifndef TOOLS_MEASURE_WORDS_H
#define TOOLS_MEASURE_WORDS_H

/** "1.25 ms": so many digits and a unit, with `blank` between them. Returns `text`. */
enum { INLAY_VALUE_TEXT = 40 };
char *inlay_seconds_text(double seconds, int digits, const char *blank, char text[INLAY_VALUE_TEXT]);

/** "1.15 MB/s"; "unknown" where it is infinite. */
char *inlay_rate_text(double bytes, int digits, const char *blank, char text[INLAY_VALUE_TEXT]);

/** "3.2 %" */
char *share_text(double share, char text[INLAY_VALUE_TEXT]);

#endif
