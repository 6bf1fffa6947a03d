
#include <math.h>
int main(void)
{
    static struct bench_args_t a;
    double sum = 0;
    for (int i = 0; i < FFT_SIZE; i++) a.real[i] = (i * 7) % 19;
    for (int i = 0; i < FFT_SIZE / 2; i++) {
        a.real_twid[i] = cos(twoPI * i / FFT_SIZE);
        a.img_twid[i] = -sin(twoPI * i / FFT_SIZE);
    }
    fft(a.real, a.img, a.real_twid, a.img_twid);
    for (int i = 0; i < FFT_SIZE; i++) sum += a.real[i] * a.real[i] + a.img[i] * a.img[i];
    printf("%.10e\n", sum);
    return 0;
}
