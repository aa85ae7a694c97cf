// The functions of <math.h> in use, the same on all platforms.

double sin(double);
double cos(double);
double tan(double);
double acos(double);
double atan2(double, double);
double exp(double);
double log(double);
double pow(double, double);
