/// A variable that only the thread with the turn touches, kept apart from the object that owns it.
///
/// A class's own variables are checked for overlapping access at run time, which took a tenth of a dispatch.
/// Here the rule is kept by construction: the turn is one thread's at a time, and an access that changes the
/// value calls no code of the app: what has to be let go is taken out first.
@safe
@usableFromInline
struct Exclusive<Value>: ~Copyable {
  @usableFromInline let pointer: UnsafeMutablePointer<Value>

  @inlinable
  init(_ value: Value) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  @inlinable
  var value: Value {
    @inline(__always) _read { yield unsafe pointer.pointee }
    @inline(__always) nonmutating _modify { yield unsafe &pointer.pointee }
  }

  /// Puts another value in place, and returns the one that was there.
  @inlinable
  func exchange(_ value: consuming Value) -> Value {
    let old = unsafe pointer.move()
    unsafe pointer.initialize(to: value)
    return old
  }
}
