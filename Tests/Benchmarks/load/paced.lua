-- Cycles over warmed ids with a pause before each request, so that the server is not saturated: a time at full load is that of
-- the queue before it. Pauses differ by chance, so that requests do not come all at once. Arguments: the number of ids, and
-- the mean milliseconds of a pause.
local count, pause
local following = 0

function init(arguments)
  count, pause = tonumber(arguments[1]), tonumber(arguments[2])
end

function delay()
  return pause * (0.5 + math.random())
end

function request()
  following = (following + 1) % count
  return wrk.format("GET", string.format("/token?tripID=cached-%04d", following))
end
