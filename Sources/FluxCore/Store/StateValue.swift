/// What a state or a part of one is: it can be written to a log, compared, and handed to another thread.
///
/// Conforming a nested state or phase to it says all three at once, and keeps the conformances free of
/// any actor in modules that are isolated to the main actor by default.
public protocol StateValue: Codable, Equatable, Sendable {}
