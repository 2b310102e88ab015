public import Foundation

/// An action on its way, with everything the dispatcher knows about it.
public struct Envelope: Sendable {
  /// The step that the action makes, counted from 1.
  public let step: UInt64
  /// The time of the step, in whole microseconds and never before that of an earlier step.
  public let time: Date
  /// The action.
  public let action: any Action
  /// The store it is addressed to; nil where it is for all that take it.
  public let target: StoreID?
  /// The earlier step that led to this one, by a follow-up, an observer or an effect.
  public let cause: UInt64?
  /// The name of the effect that dispatched it.
  public let effect: String?
  /// Whether code that ran inside the step that led to it dispatched it on its own account, as observers
  /// and middleware do: it is no follow-up then, and running that step again does not ask for it.
  public let isFromObserver: Bool
  /// Where in the source it was dispatched.
  public let source: SourceLocation

  /// The name of the action: its kind, and the case where it is an enum, as in `todo/add`.
  ///
  /// It is found by reflection, which takes about a microsecond.
  public var name: String { describe(action) }
}

/// A place in the source.
public struct SourceLocation: Sendable, Equatable, CustomStringConvertible {
  // As the compiler has it: most steps are never asked for theirs, and a string would cost an allocation.
  private let file: StaticString
  /// The line, counted from 1.
  public let line: Int

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - file: The module and the name of the file, as `#fileID` gives it.
  ///   - line: The line, as `#line` gives it.
  public init(file: StaticString, line: UInt) {
    self.file = file
    self.line = Int(line)
  }

  /// The module and the name of the file, as `#fileID` gives it.
  public var fileID: String { file.description }

  /// The name of the file and the line, as in `Cart.swift:42`.
  public var description: String {
    let name = fileID.split(separator: "/").last ?? ""
    return "\(name):\(line)"
  }

  /// Tells whether two places are the same.
  public static func == (left: SourceLocation, right: SourceLocation) -> Bool {
    left.line == right.line && left.fileID == right.fileID
  }
}
