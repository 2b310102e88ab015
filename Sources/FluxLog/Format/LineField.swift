import FluxJSON

/// A member of a header, a gap or an end line, or of an object in one: how it is read and written.
struct LineField<Value>: LineMember {
  let name: LiteralName
  let read: (inout Value, LineMembers) throws(LineFault) -> Void
  /// Appends the member; gets its value in a line that is written again.
  let write: (Value, _ old: JSON?, inout LineBuffer) -> Void
}

extension LineField {
  /// A member that every line has.
  static func required<Member: LineValue>(
    _ name: LiteralName, _ path: WritableKeyPath<Value, Member>
  ) -> LineField {
    LineField(name: name) { (value, members) throws(LineFault) in
      value[keyPath: path] = try members.required(name)
    } write: {
      $2.member(name, $0[keyPath: path])
    }
  }

  /// A member that is written unless it is `nil`.
  static func optional<Member: LineValue>(
    _ name: LiteralName, _ path: WritableKeyPath<Value, Member?>
  ) -> LineField {
    LineField(name: name) { (value, members) throws(LineFault) in
      value[keyPath: path] = try members.optional(name)
    } write: {
      $2.member(name, ifPresent: $0[keyPath: path])
    }
  }

  /// A member with a value for lines that lack it, and which is not written if it has that value and `isOmitted`.
  static func optional<Member: LineValue & Equatable>(
    _ name: LiteralName, _ path: WritableKeyPath<Value, Member>, or standard: Member,
    isOmitted: Bool = true
  ) -> LineField {
    LineField(name: name) { (value, members) throws(LineFault) in
      value[keyPath: path] = try members.optional(name) ?? standard
    } write: { value, _, line in
      let member = value[keyPath: path]
      if !isOmitted || member != standard { line.member(name, member) }
    }
  }

  /// An object with its own fields, which are read into `empty`.
  static func object<Member>(
    _ name: LiteralName, _ path: WritableKeyPath<Value, Member?>, _ empty: Member,
    _ fields: [LineField<Member>]
  ) -> LineField {
    LineField(name: name) { (value, members) throws(LineFault) in
      guard let object = try members.object(name) else { return }
      value[keyPath: path] = try object.read(fields, into: empty)
    } write: { value, old, line in
      guard let member = value[keyPath: path] else { return }
      line.object(name) { $0.members(of: member, fields, over: old) }
    }
  }

  /// An object that every line has, with fields of the line's value.
  static func object(_ name: LiteralName, _ fields: [LineField]) -> LineField {
    LineField(name: name) { (value, members) throws(LineFault) in
      guard let object = try members.object(name) else { throw members.missing(name) }
      value = try object.read(fields, into: value)
    } write: { value, old, line in
      line.object(name) { $0.members(of: value, fields, over: old) }
    }
  }
}

extension LineMembers {
  /// Returns a value with the members of the object.
  func read<Value>(
    _ fields: [LineField<Value>], into value: Value
  ) throws(LineFault) -> Value {
    var value = value
    for field in fields { try field.read(&value, self) }
    return value
  }
}

extension LineBuffer {
  /// Appends the members of an object, which keeps the members that it had before and that are no fields.
  mutating func members<Value>(
    of value: Value, _ fields: [LineField<Value>], over old: JSON? = nil
  ) {
    members(fields, over: old?.members.map { $0 } ?? []) { $0.write(value, $1, &$2) }
  }

  /// Appends a line; or its old line with the fields of these names replaced, all if `nil`.
  mutating func line<Value>(
    of value: Value, _ fields: [LineField<Value>], over old: JSON? = nil,
    replacing names: [LiteralName]? = nil
  ) {
    line { line in
      line.members(
        fields, over: old?.lineMembers ?? [], replaces: { names?.contains($0.name) ?? true }
      ) { $0.write(value, $1, &$2) }
    }
  }
}
