/* Constants that specialise() (specialise.hpp) replaces in the SPIR-V by the wanted numbers. A
 * kernel names each once or not at all, and hands it to a function as it is: the compiler would
 * compute an expression around it with the value here. */
#ifndef ARRAY_INTERFACE_KERNELS_SPECIAL_H
#define ARRAY_INTERFACE_KERNELS_SPECIAL_H

#ifndef CONVERSION
/* As convert_one has it; a type to itself moves its bytes. */
#define CONVERSION 0x7eadbee5u

/* Strides as numbers of elements, + 16, a byte each from the lowest; 0: the argument says it.
 * For row_copy these are the strides of the destination's columns, the source's columns, the
 * destination's channels and the source's channels. For tile_copy they are the strides along which
 * tiles are read and written; bit 16 says whether tiles are turned. */
#define STEPS 0x7eadbee6u

/* The number of outer axes in the lowest byte, the number of channels in the next. */
#define AXES 0x7eadbee7u
#endif

#endif
