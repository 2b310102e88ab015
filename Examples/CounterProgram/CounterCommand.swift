import CounterExample
import ExampleProgram
import FluxCore

/// Parses a line: `increase`, `add 42`; `log` turns on a log of all outcomes.
@Sendable func readCounterCommand(_ line: String) -> TerminalProgram.Command {
  if line == "log" { return .perform { $0.use(ActionLogger { print($0) }) } }
  guard let action = counterAction(line) else {
    return .unknown(
      usage: "increase, decrease, add N, remove N, work N, both N (adds twice in one step), log")
  }
  return .dispatch(action)
}

private func counterAction(_ line: String) -> (any Action)? {
  var words = Words(line)
  let command = words.next()
  let amount = words.number()
  switch (command, amount) {
  case ("increase", _): return CounterAction.increase
  case ("decrease", _): return CounterAction.decrease
  case ("add", let amount?): return CounterAction.add(amount: amount)
  case ("remove", let amount?): return CounterAction.remove(amount: amount)
  case ("work", let amount?): return CounterAction.addAfterWork(amount: amount)
  case ("both", let amount?):
    return Batch("both", [CounterAction.add(amount: amount), CounterAction.add(amount: amount)])
  default: return nil
  }
}
