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
public protocol RecordedWrapper {
  /// The value to record in place of the wrapper.
  var recordedValue: Any { get }
}
