/// A property wrapper that says what reflection records of it.
///
/// ``Recorder/start(reflecting:seed:now:)`` and its relatives write a property wrapper as its stored members. A wrapper
/// that stores its value elsewhere, or alongside values a log does not need, conforms to this protocol:
/// ```swift
/// @propertyWrapper struct Debounced<Value>: RecordedWrapper {
///   var wrappedValue: Value
///   var waiting: [Value] = []
///   var recordedValue: Any { wrappedValue }
/// }
/// ```
/// A conformance that is isolated to the main actor, as all are by default in new Xcode projects, is used only there. On
/// other threads, the wrapper is written as its stored members; `nonisolated RecordedWrapper` avoids that.
public protocol RecordedWrapper {
  /// The value to record in place of the wrapper.
  var recordedValue: Any { get }
}
