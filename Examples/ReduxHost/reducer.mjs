// The reducers of the todos example of Redux.
function todos(state = [], action) {
  switch (action.type) {
    case "ADD_TODO":
      return [...state, { id: action.id, text: action.text, completed: false }];
    case "TOGGLE_TODO":
      return state.map((todo) => (todo.id === action.id ? { ...todo, completed: !todo.completed } : todo));
    default:
      return state;
  }
}

function visibilityFilter(state = "SHOW_ALL", action) {
  return action.type === "SET_VISIBILITY_FILTER" ? action.filter : state;
}

// The reducer that combineReducers of Redux would make from the two.
export function reducer(state = {}, action) {
  const next = {
    todos: todos(state.todos, action),
    visibilityFilter: visibilityFilter(state.visibilityFilter, action),
  };
  const isSame = next.todos === state.todos && next.visibilityFilter === state.visibilityFilter;
  return isSame ? state : next;
}
