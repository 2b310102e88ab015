/// What a state or a part of one is: it can be written to a log, compared, and handed to another thread.
///
/// Conforming a nested state or phase to it says all three at once, and keeps the conformances free of
/// any actor in modules that are isolated to the main actor by default.
///
/// It is a value all through: where it refers to an object, that object never changes. States are kept and
/// shared between threads, and a recorder takes elements of an array that are bit for bit those of the state
/// before to be the same.
public protocol StateValue: Codable, Equatable, Sendable {}
