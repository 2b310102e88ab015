extension Pointer {
  /// Returns `false` if a patch certainly does not change the value at this pointer.
  ///
  /// The patch is not applied. `false` means that the value is the same before and after, or
  /// missing both times. `true` may be a false alarm: the new value may equal the old one, or a
  /// member's name may look like an index. `operations` is the text of a patch; an invalid patch
  /// counts as a change.
  package func mayChange(by operations: JSON) -> Bool {
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

  /// Returns `true` if the pointers are equal, or if one points inside the value of the other.
  private func isRelated(to other: Pointer) -> Bool {
    isWithin(other) || other.isWithin(self)
  }

  /// Returns `true` if adding or removing a value at `other` could affect or move this one.
  private func mayMove(by other: Pointer) -> Bool {
    guard !isRelated(to: other) else { return true }
    let parent = other.parent
    guard isWithin(parent) else { return false }
    // Both are in one container. If it is an array, the elements after `other` move.
    let end = bytes[(parent.bytes.count + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
    let own = ArrayIndex(bytes[(parent.bytes.count + 1)..<end])
    let changed = other.bytes[(parent.bytes.count + 1)...]
    guard let own else { return false }
    if changed.elementsEqual("-".utf8) { return true }
    return ArrayIndex(changed).map { $0.value <= own.value } ?? false
  }
}
