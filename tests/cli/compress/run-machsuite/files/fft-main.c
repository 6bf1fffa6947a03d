#include "fft.h"
#include "driver.h"
static double real[FFT_SIZE], img[FFT_SIZE], real_twid[FFT_SIZE / 2], img_twid[FFT_SIZE / 2];
int main(void)
{
    for (int i = 0; i < FFT_SIZE; i++) real[i] = next() % 100, img[i] = 0;
    for (int i = 0; i < FFT_SIZE / 2; i++) real_twid[i] = cos(twoPI * i / FFT_SIZE), img_twid[i] = -sin(twoPI * i / FFT_SIZE);
    fft(real, img, real_twid, img_twid);
    return 0;
}
