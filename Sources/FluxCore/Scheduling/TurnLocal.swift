/// A variable that only the thread with the turn uses, stored outside the object that owns it.
///
/// Swift checks the stored properties of classes for overlapping access at run time, which cost a tenth of
/// a dispatch. Here two rules replace the check. Only one thread has the turn at a time. An access that
/// changes the value runs no code of the app: values to release are moved out first.
@safe
@usableFromInline
struct TurnLocal<Value>: ~Copyable {
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

  @inlinable
  func exchange(_ value: consuming Value) -> Value {
    let old = unsafe pointer.move()
    unsafe pointer.initialize(to: value)
    return old
  }
}
