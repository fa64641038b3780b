/* What a kernel is specialised for: specialise() (specialise.hpp) puts the wanted numbers in the
 * places of these in the SPIR-V, each of which a kernel names once or not at all. They are handed
 * to functions as they are: what they were part of would be computed with the values here. */
#ifndef ARRAY_INTERFACE_KERNELS_SPECIAL_H
#define ARRAY_INTERFACE_KERNELS_SPECIAL_H

#ifndef CONVERSION
/* As convert_one has it; a type to itself moves its bytes. */
#define CONVERSION 0x7eadbee5u

/* Strides as numbers of elements, + 16, a byte each from the lowest; 0: whatever the argument says.
 * Of row_copy: of the destination's columns, the source's columns, the destination's channels, the
 * source's channels. Of tile_copy: along which tiles are read, and along which they are written;
 * bit 16 says whether they are turned. */
#define STEPS 0x7eadbee6u

/* How many axes there are around in the lowest byte, how many channels in the next. */
#define AXES 0x7eadbee7u
#endif

#endif
