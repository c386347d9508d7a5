// A picture and a sound, as small as they can be.

#ifndef EVERYTHING_MEDIA_H
#define EVERYTHING_MEDIA_H

enum { PIXEL_SIZE = 70, SILENCE_SIZE = 44 };

// One pixel, as PNG.
extern const unsigned char pixel[PIXEL_SIZE];

// The same as base64, for JSON.
#define PIXEL_BASE64                                                                                                  \
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="

// No samples, as WAV.
extern const unsigned char silence[SILENCE_SIZE];

#endif
