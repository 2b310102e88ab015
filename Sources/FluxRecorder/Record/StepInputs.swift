public import FluxCore
public import Foundation

/// The inputs of a reducer besides its state and its action, for an app without FluxCore stores.
///
/// A reducer that takes the time, random numbers and UUIDs from here does the same on replay:
/// ```swift
/// func reduce(_ state: inout Notes, _ action: NoteAction, _ inputs: inout StepInputs) {
///   switch action {
///   case .add(let text):
///     state.notes.append(Note(id: inputs.uuid(), text: text, created: inputs.now))
///   }
/// }
/// ```
/// While you record, ``OpenStep/inputs`` returns those of a step. On replay, an ``AppDefinition`` passes equal
/// ones. They depend on the log's seed, the number of the step and its time, in the same way as FluxCore's
/// `Step`.
public struct StepInputs: Sendable {
  /// The number of the step, counted from 1; 0 for an action inside another step.
  public let number: UInt64
  /// The time of the step, in whole microseconds and never earlier than that of a previous step.
  public let now: Date
  /// The random numbers of the step.
  public var random: SplitMix64

  /// Creates the inputs of a step, for example for a test of the reducer.
  public init(seed: UInt64, number: UInt64, now: Date) {
    self.number = number
    self.now = now
    random = SplitMix64(seed: seed, step: number)
  }

  /// Makes a UUID from the step's random numbers.
  ///
  /// - Returns: A UUID of version 4 (RFC 9562, section 5.4).
  public mutating func uuid() -> UUID { random.uuid() }
}
