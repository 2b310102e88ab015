// What Apple's Swift overlay of Darwin adds to the C headers: variadic functions and macros that Swift cannot import.
@_exported import Darwin

public var errno: Int32 {
  get { __error().pointee }
  set { __error().pointee = newValue }
}

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 { fatalError() }

// The SDK imports these three from C macros' variables with the same type and the same lack of concurrency safety.
public var stdout: UnsafeMutablePointer<FILE> {
  get { __stdoutp }
  set { __stdoutp = newValue }
}
public var stderr: UnsafeMutablePointer<FILE> {
  get { __stderrp }
  set { __stderrp = newValue }
}

public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { fatalError() }

public var MAP_FAILED: UnsafeMutableRawPointer! { fatalError() }
public func sem_open(_ name: UnsafePointer<CChar>, _ oflag: Int32) -> UnsafeMutablePointer<sem_t>? { nil }
public func sem_open(
  _ name: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t, _ value: CUnsignedInt
) -> UnsafeMutablePointer<sem_t>? { nil }

@available(*, unavailable, message: "Please use threads or posix_spawn*()")
public func fork() -> Int32 { fatalError() }
// Left out: environ. Whether the SDK lets Swift see it is unsure.

public var S_IFMT: mode_t { 0o170000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var S_IWOTH: mode_t { 0o000002 }

// Enumerators that the SDK's API notes name without the underscore.
public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
public var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }
