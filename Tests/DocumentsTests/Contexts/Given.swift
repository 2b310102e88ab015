/// A variable of a context that a closure in the documentation can change.
@propertyWrapper final class Given<Value> {
  var wrappedValue: Value

  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
