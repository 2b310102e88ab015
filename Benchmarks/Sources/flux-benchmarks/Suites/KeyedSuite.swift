import FluxCore
import Harness

/// A list of 10,000 elements in a state.
///
/// A reducer changes a copy of the state, so the first change of a list in a step copies its array. `beside the
/// copy` is a change of a list that nobody else holds.
func keyedSuite() -> Suite {
  let rows = (0..<count).map { Row(id: $0 * 7, title: "the title of row \($0)") }
  let list = Keyed(rows)
  let id = rows[count / 2].id
  return Suite(
    "keyed",
    [
      Figure("look up", in: .nanoseconds, target: .atMost(30, .multiplication)) {
        Contest(
          .repeated { list[id: id] }, on: input,
          beside: [Rival("array, first(where:)", .repeated { rows.first { $0.id == id } })])
      },
      Figure("change, beside the copy", in: .nanoseconds, target: .atMost(30, .multiplication)) {
        var list = list
        return Contest(.repeated { list.update(id: id) { $0.isDone.toggle() } }, on: input)
      },
      Figure("change", in: .microseconds) {
        Contest(
          .repeated {
            var changed = list
            changed.update(id: id) { $0.isDone.toggle() }
            return changed
          }, on: input,
          beside: [
            Rival(
              "array, firstIndex(where:)",
              .repeated {
                var changed = rows
                if let place = changed.firstIndex(where: { $0.id == id }) {
                  changed[place].isDone.toggle()
                }
                return changed
              })
          ])
      },
      Figure("add", in: .microseconds) {
        Contest(
          .repeated {
            var changed = list
            changed.append(Row(id: 1, title: "new"))
            return changed
          }, on: input,
          beside: [
            Rival(
              "array",
              .repeated {
                var changed = rows
                changed.append(Row(id: 1, title: "new"))
                return changed
              })
          ])
      },
      Figure("remove", in: .microseconds) {
        Contest(
          .repeated {
            var changed = list
            changed.remove(id: id)
            return changed
          }, on: input,
          beside: [
            Rival(
              "array, removeAll(where:)",
              .repeated {
                var changed = rows
                changed.removeAll { $0.id == id }
                return changed
              })
          ])
      },
    ])
}

private let count = 10_000
private let input = "10,000 elements"

/// An element that lives on the heap in part, as most do.
private struct Row: StateValue, Identifiable {
  let id: Int
  let title: String
  var isDone = false
}
