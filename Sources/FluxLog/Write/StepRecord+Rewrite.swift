extension StepRecord {
  /// Replaces all values by what a rewriter makes of them, once they are encoded.
  ///
  /// An action that was noted has been rewritten then.
  mutating func rewrite(by rewriter: ValueRewriter) {
    if case .deferred(let value) = action.content {
      action = PreparedAction(.deferred(value.rewritten(by: rewriter, .action)))
    }
    changes.rewrite(by: rewriter)
  }

  /// Shows a rewriter the action and all states of a step that is dropped: it may have to keep them out of later
  /// lines, too.
  func show(to rewriter: ValueRewriter) {
    var values = changes.map { (role: ValueRewriter.Role.state($0.store), value: $0.state) }
    // One that was noted has been rewritten.
    if case .deferred(let action) = action.content { values.append((.action, action)) }
    for case (let role, let value?) in values {
      do throws(EncodingFailure) {
        _ = try value.rewritten(by: rewriter, role).json(of: nil)
      } catch {
        // What cannot be encoded cannot be told apart from what the app says, either.
      }
    }
  }
}

extension [StepRecord.Change] {
  /// Replaces all states by what a rewriter makes of them, once they are encoded.
  mutating func rewrite(by rewriter: ValueRewriter) {
    for place in indices {
      let role = ValueRewriter.Role.state(self[place].store)
      self[place].state = self[place].state?.rewritten(by: rewriter, role)
    }
  }
}

extension SkipRecord {
  /// Shows a rewriter the action and all states, which it may have to keep out of later lines, too.
  mutating func show(to rewriter: ValueRewriter) {
    changes.rewrite(by: rewriter)
    do throws(EncodingFailure) {
      if let action { _ = try action.rewritten(by: rewriter, .action).action() }
      for place in changes.indices {
        guard let state = changes[place].state else { continue }
        changes[place].state = LogValue(json: try state.state(of: changes[place].store))
      }
    } catch {
      // A state that cannot be encoded is tried again where it is to be written, and reported there.
    }
  }
}
