import Resampling
