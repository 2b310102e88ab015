extension Pointer {
  /// Says whether a patch could change what is at this pointer, without applying it.
  ///
  /// False is certain: the value, or that there is none, is the same before and after. True may
  /// turn out to be no change: another value may be written that is equal, and a name may look like
  /// an index. `operations` is the text of a patch; what is no patch counts as a change.
  func mayChange(by operations: JSON) -> Bool {
    guard operations.kind == .array else { return true }
    return operations.document.withTape { tape in
      var place = operations.place + 1
      while place < Int(tape[operations.place].next) {
        if mayChange(byOperationAt: place, on: tape) { return true }
        place = Int(tape[place].next)
      }
      return false
    }
  }

  private func mayChange(byOperationAt operation: Int, on tape: JSONTape) -> Bool {
    let places: OperationPlaces
    do throws(PatchError.Reason) {
      places = try OperationPlaces(reading: operation, on: tape)
    } catch {
      return true
    }
    guard let path = pointer(places.path, on: tape), let from = pointer(places.from, on: tape)
    else { return true }
    return switch places.kind {
    case .test: false
    case .replace, .splice: isRelated(to: path)
    case .add, .remove, .copy: mayMove(by: path)
    case .move: mayMove(by: path) || mayMove(by: from)
    }
  }

  private func pointer(_ string: Int, on tape: JSONTape) -> Pointer? {
    do throws(PointerError.Reason) {
      return try tape.withText(string) { (text) throws(PointerError.Reason) in try text.pointer() }
    } catch {
      return nil
    }
  }

  /// Whether one of the two values lies within the other.
  private func isRelated(to other: Pointer) -> Bool {
    isWithin(other) || other.isWithin(self)
  }

  /// Whether a value that is put in or taken out there could be this one, or move it.
  private func mayMove(by other: Pointer) -> Bool {
    guard !isRelated(to: other) else { return true }
    let parent = other.parent
    guard isWithin(parent) else { return false }
    // Both are in the same container: in an array, what lies behind the other one moves.
    let end = bytes[(parent.bytes.count + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
    let own = ArrayIndex(bytes[(parent.bytes.count + 1)..<end])
    let changed = other.bytes[(parent.bytes.count + 1)...]
    guard let own else { return false }
    if changed.elementsEqual("-".utf8) { return true }
    return ArrayIndex(changed).map { $0.value <= own.value } ?? false
  }
}
