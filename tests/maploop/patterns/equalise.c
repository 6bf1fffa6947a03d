/* Histogram equalisation of a grey image. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const int width = 96, height = 64, pixels = width * height;
    uint8_t *image = malloc(pixels), *out = malloc(pixels), map[256];
    unsigned histogram[256] = {0}, cumulated = 0, least = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) image[y * width + x] = (uint8_t)(60 + (x * y / 40 + x) % 90);
#pragma inlay maploop
    for (int p = 0; p < pixels; p++) histogram[image[p]]++;
    for (int g = 0; g < 256; g++) {
        cumulated += histogram[g];
        if (!least) least = histogram[g];
        map[g] = (uint8_t)(cumulated <= least ? 0 : (cumulated - least) * 255 / ((unsigned)pixels - least));
    }
#pragma inlay maploop
    for (int p = 0; p < pixels; p++) out[p] = map[image[p]];
    unsigned long check = 0, darkest = 255, brightest = 0;
#pragma inlay maploop
    for (int p = 0; p < pixels; p++) {
        check += (unsigned long)out[p] * (unsigned long)(p % 101);
        darkest = out[p] < darkest ? out[p] : darkest;
        brightest = out[p] > brightest ? out[p] : brightest;
    }
    printf("%lu %lu %lu\n", check, darkest, brightest);
    free(image);
    free(out);
    return 0;
}
