// The least time for a copy: its source's bytes are read in a row, and as many as it writes are
// written in a row, through the caches or past them, whichever takes less. Both run at once, a
// piece of each in turn. Needs AVX2.
#include <immintrin.h>
#include <stdint.h>
#include <time.h>

enum { PIECE = 16384, VECTOR = 32 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}

static __m256i read_all(const char *from, int64_t bytes) {
  __m256i all = _mm256_setzero_si256();
  for (int64_t at = 0; at + VECTOR <= bytes; at += VECTOR)
    all = _mm256_xor_si256(all, _mm256_load_si256((const __m256i *)(from + at)));
  return all;
}

static void write_all(char *to, __m256i value, int64_t bytes, int is_past_caches) {
  for (int64_t at = 0; at + VECTOR <= bytes; at += VECTOR) {
    if (is_past_caches) {
      _mm256_stream_si256((__m256i *)(to + at), value);
    } else {
      _mm256_store_si256((__m256i *)(to + at), value);
    }
  }
}

static void one_way(char *to, int64_t written, const char *from, int64_t read, int past) {
  const int64_t pieces = (written > read ? written : read) / PIECE + 1;
  const int64_t each_read = read / pieces / VECTOR * VECTOR;
  const int64_t each_written = written / pieces / VECTOR * VECTOR;
  for (int64_t piece = 0; piece < pieces; ++piece) {
    const __m256i value = read_all(from + piece * each_read, each_read);
    write_all(to + piece * each_written, value, each_written, past);
  }
  _mm_sfence();
}

static int64_t one_of(int64_t calls, char *to, int64_t written, const char *from, int64_t read,
                      int past) {
  const int64_t start = now();
  for (int64_t call = 0; call < calls; ++call) one_way(to, written, from, read, past);
  return (now() - start) / calls;
}

/// Nanoseconds of one of so many calls. Both blocks begin at a multiple of VECTOR.
int64_t limit(char *to, int64_t written, const char *from, int64_t read, int64_t calls) {
  const int64_t through = one_of(calls, to, written, from, read, 0);
  const int64_t past = one_of(calls, to, written, from, read, 1);
  return through < past ? through : past;
}
