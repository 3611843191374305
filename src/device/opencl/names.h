// SPDX-License-Identifier: Apache-2.0
// Names that OpenCL C has taken and plain C has not (OpenCL C 1.2, 6.1.9 and 6.12): a model may use them for its own.
// Some compilers have them as macros already. A kernel of such a name is found by the host as swell_NAME.

#undef kernel
#define kernel swell_kernel
#undef global
#define global swell_global
#undef local
#define local swell_local
#undef constant
#define constant swell_constant
#undef private
#define private swell_private
#undef read_only
#define read_only swell_read_only
#undef write_only
#define write_only swell_write_only
#undef read_write
#define read_write swell_read_write
#undef half
#define half swell_half
#undef quad
#define quad swell_quad
#undef pipe
#define pipe swell_pipe
#undef generic
#define generic swell_generic
#undef acosh
#define acosh swell_acosh
#undef acospi
#define acospi swell_acospi
#undef asinh
#define asinh swell_asinh
#undef asinpi
#define asinpi swell_asinpi
#undef atanh
#define atanh swell_atanh
#undef atanpi
#define atanpi swell_atanpi
#undef atan2pi
#define atan2pi swell_atan2pi
#undef copysign
#define copysign swell_copysign
#undef cospi
#define cospi swell_cospi
#undef erfc
#define erfc swell_erfc
#undef exp2
#define exp2 swell_exp2
#undef exp10
#define exp10 swell_exp10
#undef expm1
#define expm1 swell_expm1
#undef fdim
#define fdim swell_fdim
#undef fma
#define fma swell_fma
#undef fmod
#define fmod swell_fmod
#undef fract
#define fract swell_fract
#undef frexp
#define frexp swell_frexp
#undef hypot
#define hypot swell_hypot
#undef ilogb
#define ilogb swell_ilogb
#undef ldexp
#define ldexp swell_ldexp
#undef lgamma
#define lgamma swell_lgamma
#undef lgamma_r
#define lgamma_r swell_lgamma_r
#undef log2
#define log2 swell_log2
#undef log10
#define log10 swell_log10
#undef log1p
#define log1p swell_log1p
#undef logb
#define logb swell_logb
#undef mad
#define mad swell_mad
#undef maxmag
#define maxmag swell_maxmag
#undef minmag
#define minmag swell_minmag
#undef modf
#define modf swell_modf
#undef nan
#define nan swell_nan
#undef nextafter
#define nextafter swell_nextafter
#undef pown
#define pown swell_pown
#undef powr
#define powr swell_powr
#undef remainder
#define remainder swell_remainder
#undef remquo
#define remquo swell_remquo
#undef rint
#define rint swell_rint
#undef rootn
#define rootn swell_rootn
#undef round
#define round swell_round
#undef rsqrt
#define rsqrt swell_rsqrt
#undef sincos
#define sincos swell_sincos
#undef sinpi
#define sinpi swell_sinpi
#undef tanpi
#define tanpi swell_tanpi
#undef tgamma
#define tgamma swell_tgamma
#undef trunc
#define trunc swell_trunc
#undef abs_diff
#define abs_diff swell_abs_diff
#undef add_sat
#define add_sat swell_add_sat
#undef hadd
#define hadd swell_hadd
#undef rhadd
#define rhadd swell_rhadd
#undef clamp
#define clamp swell_clamp
#undef clz
#define clz swell_clz
#undef mad_hi
#define mad_hi swell_mad_hi
#undef mad_sat
#define mad_sat swell_mad_sat
#undef max
#define max swell_max
#undef min
#define min swell_min
#undef mul_hi
#define mul_hi swell_mul_hi
#undef rotate
#define rotate swell_rotate
#undef sub_sat
#define sub_sat swell_sub_sat
#undef upsample
#define upsample swell_upsample
#undef popcount
#define popcount swell_popcount
#undef mad24
#define mad24 swell_mad24
#undef mul24
#define mul24 swell_mul24
#undef degrees
#define degrees swell_degrees
#undef mix
#define mix swell_mix
#undef radians
#define radians swell_radians
#undef step
#define step swell_step
#undef smoothstep
#define smoothstep swell_smoothstep
#undef sign
#define sign swell_sign
#undef cross
#define cross swell_cross
#undef dot
#define dot swell_dot
#undef distance
#define distance swell_distance
#undef length
#define length swell_length
#undef normalize
#define normalize swell_normalize
#undef fast_distance
#define fast_distance swell_fast_distance
#undef fast_length
#define fast_length swell_fast_length
#undef fast_normalize
#define fast_normalize swell_fast_normalize
#undef isequal
#define isequal swell_isequal
#undef isnotequal
#define isnotequal swell_isnotequal
#undef isgreater
#define isgreater swell_isgreater
#undef isgreaterequal
#define isgreaterequal swell_isgreaterequal
#undef isless
#define isless swell_isless
#undef islessequal
#define islessequal swell_islessequal
#undef islessgreater
#define islessgreater swell_islessgreater
#undef isfinite
#define isfinite swell_isfinite
#undef isinf
#define isinf swell_isinf
#undef isnan
#define isnan swell_isnan
#undef isnormal
#define isnormal swell_isnormal
#undef isordered
#define isordered swell_isordered
#undef isunordered
#define isunordered swell_isunordered
#undef signbit
#define signbit swell_signbit
#undef all
#define all swell_all
#undef bitselect
#define bitselect swell_bitselect
#undef select
#define select swell_select
#undef shuffle
#define shuffle swell_shuffle
#undef shuffle2
#define shuffle2 swell_shuffle2
#undef mem_fence
#define mem_fence swell_mem_fence
#undef read_mem_fence
#define read_mem_fence swell_read_mem_fence
#undef write_mem_fence
#define write_mem_fence swell_write_mem_fence
