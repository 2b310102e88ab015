/// A state or a part of one: it can be encoded, compared, and passed between threads.
///
/// Conforming a nested state or phase to it declares all three at once. It also keeps the conformances free
/// of any actor in modules that are isolated to the main actor by default.
///
/// The type must have value semantics throughout: if it refers to an object, that object never changes.
/// Threads share states, and a recorder treats array elements that are bitwise equal to those of the previous
/// state as unchanged.
public protocol StateValue: Codable, Equatable, Sendable {}
