public import Foundation

/// A dispatched action with everything that the dispatcher knows about it.
public struct Envelope: Sendable {
  /// The number of the action's step, counted from 1.
  public let step: UInt64
  /// The time of the step, in whole microseconds and never earlier than that of a previous step.
  public let time: Date
  /// The action.
  public let action: any Action
  /// The store that the action was sent to; nil if it goes to every store that handles it.
  public let target: StoreID?
  /// The earlier step that caused this one through a follow-up, an observer or an effect.
  public let cause: UInt64?
  /// The name of the effect that dispatched the action.
  public let effect: String?
  /// `true` if an observer or a middleware dispatched the action during the causing step.
  ///
  /// Such an action is not a follow-up: running the causing step again does not request it.
  public let isFromObserver: Bool
  /// The place in the source that dispatched the action.
  ///
  /// Its line is 0 for the action that resets queries after ``Dispatcher/restore(_:)``, which no line dispatches.
  public let source: CallSite

  /// The name of the action: its kind, followed by the case if it is an enum, for example `todo/add`.
  ///
  /// It uses reflection, which takes about a microsecond.
  public var name: String { describe(action) }
}

/// A place in the source that dispatched an action.
public struct CallSite: Sendable, Equatable, CustomStringConvertible {
  // Kept as the compiler's literal: most call sites are never read, and a string would need an allocation.
  private let file: StaticString
  /// The line, counted from 1; 0 if no line dispatched the action.
  public let line: Int

  package init(file: StaticString, line: UInt) {
    self.file = file
    self.line = Int(line)
  }

  /// The module and the file name, in the form of `#fileID`.
  public var fileID: String { file.description }

  /// The module, the file name and the line, for example `Shop/Cart.swift:42`.
  public var description: String { "\(fileID):\(line)" }

  /// Compares two call sites by their text.
  public static func == (left: CallSite, right: CallSite) -> Bool {
    left.line == right.line && left.fileID == right.fileID
  }
}
