"""Writes scipy.f32: what SciPy makes of the photograph, at some of its rows and columns.

python3 scipy_sample.py, with numpy, Pillow and SciPy (made with NumPy 2.4.6, SciPy 1.17.1).
"""

from pathlib import Path

import numpy
from PIL import Image
from scipy.ndimage import gaussian_filter

SIGMA = 2.5

here = Path(__file__).parent
photograph = numpy.asarray(Image.open(here / "../../data/astronaut.png").convert("RGB"))
image = photograph.astype("float32") / numpy.float32(255)
blurred = gaussian_filter(image, sigma=(SIGMA, SIGMA, 0))
length = len(image)
# All that an edge changes, on both sides, and some of what lies between.
places = [*range(12), *range(12, length - 12, 20), *range(length - 12, length)]
blurred[numpy.ix_(places, places)].astype("<f4").tofile(here / "scipy.f32")
