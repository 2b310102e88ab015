package import FluxJSON

/// One step, as a recorder hands it to a ``LogWriter``.
public struct StepRecord: Sendable {
  /// One store that the step changed.
  public struct Change: Sendable {
    /// The name of the store.
    public var store: String
    /// The state after the step; `nil` if the step removed the feature.
    public var state: LogValue?

    /// Creates a change.
    public init(store: String, state: LogValue?) {
      self.store = store
      self.state = state
    }
  }

  /// The number of the step, one more than that of the step before.
  public var number: UInt64
  /// The time of the dispatch, not before that of the previous step.
  public var time: LogTime
  /// The action, from ``LogWriter/begin(step:at:action:origin:)`` unless it need not be logged before its step, for example
  /// to convert a log.
  public var action: LogValue
  /// The store that the action was addressed to, if it was addressed to one.
  public var target: String?
  /// The number of the earlier step that caused this one.
  public var cause: UInt64?
  /// The name of the effect that dispatched the action.
  public var effect: String?
  /// ``LogStep/observer`` if an observer of the cause dispatched the action.
  public var from: String?
  /// The effects that the step asked for, by store, each store once.
  ///
  /// A rejected step asks for none.
  public var effects: [StoreEffects]
  /// The place in the app's source that dispatched the action: `File.swift:line`.
  public var source: String?
  /// The microseconds spent in reducers.
  public var took: UInt64?
  /// The number of the step whose random numbers it draws; see ``LogStep/randomStep``.
  package var randomStep: UInt64?
  /// `true` if the action comes from reflection, so it cannot be decoded.
  package var isReflected = false
  /// The stores that the step changed, each once.
  public var changes: [Change]
  /// The stores that the step changed and whose new states were left out, because the writer was
  /// behind.
  var unwritten: [String] = []
  /// The tokens of the secrets that the step drew, in order, each encoded as a string.
  public var secrets: [LogValue] = []
  /// The number of follow-ups that the step dispatches next; it is not written.
  package var followUpCount = 0
  /// `true` if the step drew random numbers or UUIDs, which the log's seed gives to anybody.
  package var usesRandomNumbers = false
  /// The reason why the step did not commit; then there are no changes.
  public var rejection: LogRejection?
  /// Circumstances from elsewhere: an object; see ``LogStep/external``.
  package var external: JSON?

  /// Creates a record.
  public init(
    number: UInt64, time: LogTime, action: LogValue, target: String? = nil,
    cause: UInt64? = nil, effect: String? = nil, from: String? = nil,
    effects: [StoreEffects] = [], source: String? = nil, took: UInt64? = nil,
    changes: [Change] = [], rejection: LogRejection? = nil
  ) {
    self.number = number
    self.time = time
    self.action = action
    self.target = target
    self.cause = cause
    self.effect = effect
    self.from = from
    self.effects = effects
    self.source = source
    self.took = took
    self.changes = changes
    self.rejection = rejection
  }

  /// Makes the record of a step of a log, without its changes.
  package init(_ step: LogStep) {
    self.init(
      number: step.number, time: step.time, action: LogValue(json: step.action),
      target: step.target, cause: step.cause, effect: step.effect, from: step.from,
      effects: step.effects, source: step.source, took: step.took, rejection: step.rejection)
    secrets = step.secrets.map { LogValue(json: JSON(stringLiteral: $0)) }
    external = step.external
    randomStep = step.randomStep
    isReflected = step.isReflected
  }

  /// Moves the cause into ``external``, as ``LogStep/moveCause()`` does.
  package mutating func moveCause() {
    external = LogStep.external(external, with: cause, effect, from)
    (cause, effect, from) = (nil, nil, nil)
  }

  /// Lists stores that the step changed and whose new states are left out.
  package mutating func leaveOut(_ stores: [String]) { unwritten = stores }

  func secretTokens() throws(EncodingFailure) -> [String] {
    var tokens: [String] = []
    for secret in secrets {
      guard let token = try secret.json().string else {
        throw EncodingFailure(store: nil, why: "the token of a secret must be a string")
      }
      tokens.append(token)
    }
    return tokens
  }

  /// `true` if the step follows up a recent step or was observed in it.
  ///
  /// An effect may dispatch hours later, so its step starts a chain.
  var isInChain: Bool { cause != nil && effect == nil }
}

/// Steps that are left out, and the changes that later lines still need.
struct SkipRecord: Sendable {
  var gap: LogGap
  /// The stores that those steps changed, each with its newest state.
  var changes: [StepRecord.Change]
  /// The action of a single step, whose values a rewriter may have to hide in later lines.
  var action: LogValue?

  /// Adds the steps after these, of which each store's newest state counts.
  mutating func append(_ later: [StepRecord.Change], through number: UInt64) {
    gap.through = number
    for change in later {
      if let index = changes.firstIndex(where: { $0.store.hasSameBytes(as: change.store) }) {
        changes[index] = change
      } else {
        changes.append(change)
      }
    }
  }
}

/// A model to which the app was set without a step.
struct RestoreRecord: Sendable {
  /// The step after which the app had that model; nil if it is no step's.
  var step: UInt64?
  /// The number of the next step.
  var next: UInt64
  /// The stores that changed, each with its newest state.
  var changes: [StepRecord.Change]
  /// `false` to write no states if the step is not in the file.
  var tellsStates = true
}

/// A step on its way to the writing thread, which makes the record.
///
/// An object, so that handing it over costs the app one reference.
package protocol StepSource: AnyObject, Sendable {
  var number: UInt64 { get }

  /// `true` if the step did not commit.
  var isRejected: Bool { get }

  func record() -> StepRecord

  // While the step waits, the queue's lock guards the states.

  /// The number of stores whose new states the step holds.
  var heldStoreCount: Int { get }

  /// Returns a store whose new state the step holds, by an index below ``heldStoreCount``.
  func heldStore(at index: Int) -> String

  /// Leaves out the new state of a store.
  ///
  /// - Returns: The state; `nil` if the step does not hold one.
  func leaveOut(_ store: String) -> (any Sendable)?
}

/// A step whose record exists already.
///
/// `@unchecked Sendable`: one thread at a time has the step; while it waits, the queue's lock guards it.
final class QueuedStep: StepSource, @unchecked Sendable {
  private var content: StepRecord

  init(_ content: consuming StepRecord) {
    self.content = content
  }

  var number: UInt64 { content.number }

  var isRejected: Bool { content.rejection != nil }

  func record() -> StepRecord { content }

  // A removal holds no state.

  var heldStoreCount: Int {
    var count = 0
    for index in content.changes.indices where content.changes[index].state != nil { count += 1 }
    return count
  }

  func heldStore(at index: Int) -> String {
    content.changes.lazy.filter { $0.state != nil }.dropFirst(index).first?.store ?? ""
  }

  func leaveOut(_ store: String) -> (any Sendable)? {
    let index = content.changes.firstIndex { change in
      change.state != nil && change.store.hasSameBytes(as: store)
    }
    guard let index else { return nil }
    content.unwritten.append(store)
    return content.changes.remove(at: index).state
  }
}

// MARK: Rewriting

extension StepRecord {
  /// Lets `rewriter` change all values as soon as they are encoded.
  mutating func rewrite(by rewriter: any ValueRewriter) {
    action = action.rewritten(by: rewriter, .action)
    changes.rewrite(by: rewriter, drawnIn: usesRandomNumbers ? number : nil)
  }

  /// Shows the action and all states of a dropped step to a rewriter, which may have to hide their
  /// values in later lines.
  func show(to rewriter: any ValueRewriter) {
    var values = changes.filter { rewriter.seesEveryState($0.store) }
      .map { (role: ValueRole.state($0.store), value: $0.state) }
    if !action.isNoted { values.append((.action, action)) }
    for case (let role, let value?) in values {
      do throws(EncodingFailure) {
        _ = try value.rewritten(by: rewriter, role).json()
      } catch {
        // A value that cannot be encoded cannot be found in other texts, either.
      }
    }
  }
}

extension SkipRecord {
  /// Shows the action to a rewriter, which needs to see it once.
  mutating func showAction(to rewriter: any ValueRewriter) {
    do throws(EncodingFailure) {
      _ = try action.take()?.rewritten(by: rewriter, .action).action()
    } catch {
      // A value that cannot be encoded cannot be found in other texts, either.
    }
  }

  /// Shows the action and all states to a rewriter, which may have to hide their values in later
  /// lines.
  mutating func show(to rewriter: any ValueRewriter) {
    showAction(to: rewriter)
    changes.rewrite(by: rewriter)
    do throws(EncodingFailure) {
      for index in changes.indices {
        guard let state = changes[index].state else { continue }
        changes[index].state = LogValue(json: try state.state(of: changes[index].store))
      }
    } catch {
      // The state is encoded again when it is to be written, and the failure is reported then.
    }
  }
}

extension [StepRecord.Change] {
  /// Lets `rewriter` change all states as soon as they are encoded.
  mutating func rewrite(by rewriter: any ValueRewriter, drawnIn step: UInt64? = nil) {
    for index in indices {
      let role = ValueRole.state(self[index].store)
      self[index].state = self[index].state?.rewritten(by: rewriter, role, drawnIn: step)
    }
  }
}
