
int bots_arg_size = 16, bots_arg_size_1 = 12, bots_arg_size_2;
bots_verbose_mode_t bots_verbose_mode = BOTS_VERBOSE_NONE;

int main(void)
{
   float **m;
   int blocks = 0;
   double sum = 0;
   sparselu_init(&m, "benchmark");
   /* as generated, another rounding of its floats changes the factors in their third digit */
   for (int k = 0; k < bots_arg_size; k++)
      for (int i = 0; i < bots_arg_size_1; i++) m[k * bots_arg_size + k][i * bots_arg_size_1 + i] += 500;
   sparselu_par_call(m);
   for (int b = 0; b < bots_arg_size * bots_arg_size; b++) {
      if (m[b] == NULL) continue;
      blocks++;
      for (int i = 0; i < bots_arg_size_1 * bots_arg_size_1; i++) sum += m[b][i] * (1 + i % 3);
   }
   printf("%d blocks, sum %.3e\n", blocks, sum);
   return 0;
}
