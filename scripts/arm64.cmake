# SPDX-License-Identifier: GPL-2.0-only
# Cross-compiles for arm64 with clang and lld:
#
#   cmake --toolchain scripts/arm64.cmake -DCMAKE_SYSROOT=DIR -DCLOCKTOP_STATIC=ON …
#
# DIR holds Debian's arm64 packages libc6 libc6-dev linux-libc-dev libgcc-12-dev
# libgcc-s1 libbpf-dev libelf-dev zlib1g-dev libncurses-dev libcap-dev, unpacked
# (tests/vm/fetch arm64 makes one).  No cross-gcc is needed.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=lld")
# Programs are the host's, libraries and headers the sysroot's.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
