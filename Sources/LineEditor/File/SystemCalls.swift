#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// `read` and `write` under names that methods of the same name do not hide.

func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  // The buffer has `count` bytes, and the system writes no more than that.
  unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
  // The buffer has `count` bytes, and the system reads no more than that.
  unsafe write(descriptor, buffer.baseAddress, buffer.count)
}

func systemClose(_ descriptor: Int32) {
  close(descriptor)
}
