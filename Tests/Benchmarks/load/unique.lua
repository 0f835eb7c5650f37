-- An id that was never asked for in every request.
-- Argument: a prefix that no other round uses.
local prefix = ""
local count = 0

function init(arguments)
  prefix = "/token?tripID=" .. arguments[1] .. "-"
end

function request()
  count = count + 1
  return wrk.format("GET", prefix .. count)
end
