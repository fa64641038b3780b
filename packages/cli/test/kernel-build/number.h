typedef float number;
